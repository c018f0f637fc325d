/**
 * Compares what a gateway says about the things that waited on an account with what they led to, once all is at rest. Each
 * function states one rule and returns a sentence for everything that breaks it.
 */
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import { type AccountAccess, type AccountState, wholeList } from './account-state.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { Json } from './json.ts';

export interface RestingState {
  readonly triggers: readonly Json[];
  /** With their slices. */
  readonly schedules: readonly Json[];
  readonly ladders: readonly Json[];
  readonly notifications: readonly Json[];
}

/** Less than the venue's minimum cannot be traded: so much of each leg may be left of a schedule that is complete. */
const DUST_USD = 10;

/** Everything that ever waited on the account, read the way a client reads it. */
export async function readResting(
  client: Pick<GatewayClient, 'request'>,
  account: AccountAccess,
): Promise<RestingState> {
  const headers = { 'x-api-key': account.key, 'x-trade-account-id': account.accountId };
  const schedules: Json[] = [];
  for (const { id } of await wholeList(client, account, 'schedules'))
    schedules.push((await client.request('GET', `/schedules/${id}`, { headers })).json);
  return {
    triggers: await wholeList(client, account, 'triggers'),
    schedules,
    ladders: await wholeList(client, account, 'ladders'),
    notifications: (await wholeList(client, account, 'notifications')).filter(
      ({ parameters }) => parameters.tradeAccountId === account.accountId,
    ),
  };
}

export function auditResting(
  state: RestingState,
  account: AccountState,
  cancelled: ReadonlySet<string>,
): readonly string[] {
  return [
    ...triggersEnded(state, cancelled),
    ...ledToOneExecution(
      'trigger',
      state.triggers.filter(
        ({ status, bracketType, executionId }) =>
          hasFired(status) ||
          // A bracket that fired, and whose position something else closed before its round had its turn.
          (status === 'CANCELLED' && bracketType !== null && executionId !== null),
      ),
      account.executions.filter(
        ({ id, origin }: Json) =>
          ['TRIGGER', 'LADDER', 'BRACKET'].includes(origin) && !earlierRounds(state, account).has(id),
      ),
    ),
    ...roundsAddUp(state, account),
    ...ledToOneExecution(
      'slice',
      state.schedules.flatMap(({ id, slices }) =>
        slices
          .filter(({ executionId }: Json) => executionId !== null)
          .map((slice: Json) => ({ ...slice, id: `${id}/${slice.index}` })),
      ),
      account.executions.filter(({ origin }: Json) => origin === 'SCHEDULE'),
    ),
    ...triggersAsTheirExecutions(state, account),
    ...slicesSum(state),
    ...rungsSum(state),
    ...endsTold(state, account),
    ...notifiedOnce(state),
    ...bracketsTold(state, account),
  ];
}

/** A bracket names its latest round; those before it, of the same position, ended without closing it. */
function earlierRounds({ triggers }: RestingState, { executions }: AccountState): ReadonlySet<string> {
  const latest = new Set(triggers.map(({ executionId }) => executionId));
  const brackets = executions.filter(({ origin }: Json) => origin === 'BRACKET');
  return new Set(brackets.filter(({ id }: Json) => !latest.has(id)).map(({ id }: Json): string => id));
}

/** Every round of a bracket is an execution of its position. A take-profit that made room begins to count anew. */
function roundsAddUp({ triggers }: RestingState, { executions }: AccountState): readonly string[] {
  return triggers.flatMap(({ id, bracketType, bracket, positionId }) => {
    const ran = executions.filter((one: Json) => one.origin === 'BRACKET' && one.positionId === positionId);
    return bracketType === null || ran.length >= Number(bracket.rounds)
      ? []
      : [`bracket ${id}: ${bracket.rounds} rounds told, ${ran.length} executions`];
  });
}

function hasFired(status: string): boolean {
  return status === 'COMPLETED' || status === 'PARTIALLY_COMPLETED' || status === 'FAILED';
}

/** Everything that opens was met at last: none may still wait, and none may have ended without firing. */
function triggersEnded({ triggers }: RestingState, cancelled: ReadonlySet<string>): readonly string[] {
  return triggers.flatMap(({ id, kind, status, executionId, triggeredAt }) => {
    const fired = hasFired(status);
    // A bracket between two rounds ends with a position that something else closed.
    const wasAtWork = status === 'CANCELLED' && kind === 'CLOSE' && executionId !== null;
    if (!wasAtWork && (fired !== (executionId !== null) || fired !== (triggeredAt !== null)))
      return [`trigger ${id} is ${status} with execution ${executionId}, fired at ${triggeredAt}`];
    if (fired || (status === 'CANCELLED' && (cancelled.has(id) || kind === 'CLOSE'))) return [];
    return [`trigger ${id} (${kind}) is ${status}, and should have fired`];
  });
}

/** One execution for each, and each of these executions for one of them. */
function ledToOneExecution(
  what: string,
  things: readonly Json[],
  executions: readonly Json[],
): readonly string[] {
  const first = executions.filter(({ parentId }) => parentId === null).map(({ id }): string => id);
  const named = things.map(({ executionId }): string => executionId);
  const known = new Set(first);
  const claimed = new Set(named);
  return [
    ...things
      .filter(({ executionId }) => !known.has(executionId))
      .map(({ id, executionId }) => `${what} ${id} led to ${executionId}, which is not there`),
    ...first.filter((id) => !claimed.has(id)).map((id) => `no ${what} knows of execution ${id}`),
    ...(claimed.size === named.length ? [] : [`two of the ${what}s led to one execution`]),
  ];
}

function triggersAsTheirExecutions(
  { triggers }: RestingState,
  { executions }: AccountState,
): readonly string[] {
  const byId = new Map<string, Json>(executions.map((execution: Json) => [execution.id, execution]));
  return triggers.flatMap(({ id, status, executionId, ladderId, bracketType }) => {
    const execution = byId.get(executionId);
    if (execution === undefined) return [];
    const origin = ladderId !== null ? 'LADDER' : bracketType !== null ? 'BRACKET' : 'TRIGGER';
    const isAlike = (status === 'COMPLETED') === (execution.status === 'COMPLETED');
    const isRight = execution.origin === origin && (isAlike || bracketType !== null);
    return isRight
      ? []
      : [`trigger ${id} is ${status}, its execution ${execution.origin} ${execution.status}`];
  });
}

function slicesSum({ schedules }: RestingState): readonly string[] {
  return schedules.flatMap(({ id, status, legs, totalUsd, filledUsd, remainingUsd, sliceCount, slices }) => {
    const add = (values: readonly string[]) => text(sum(values.map(dec)));
    const wrong = [
      ...(add(slices.map((slice: Json) => slice.filledUsd)) === filledUsd ? [] : ['slices do not add up']),
      ...(add([filledUsd, remainingUsd]) === totalUsd ? [] : ['filled and remaining are not the total']),
      ...(status === 'COMPLETED' && Number(remainingUsd) >= DUST_USD * legs.length
        ? [`completed with ${remainingUsd} left`]
        : []),
      ...(slices.length === sliceCount ? [] : [`${slices.length} slices of ${sliceCount}`]),
      ...(status === 'ACTIVE' || status === 'PAUSED' ? [`is still ${status}`] : []),
      ...(slices.some((slice: Json) => slice.status === 'EXECUTING' || slice.status === 'PENDING')
        ? ['has slices that have not ended']
        : []),
    ];
    return wrong.map((what) => `schedule ${id}: ${what}`);
  });
}

function rungsSum({ ladders, triggers }: RestingState): readonly string[] {
  const statuses = new Map<string, string>(triggers.map(({ id, status }) => [id, status]));
  return ladders.flatMap(({ id, status, totalUsd, filledLevels, rungs }) => {
    const ofRungs: string[] = rungs.map((rung: Json) => rung.status);
    const completed = ofRungs.filter((one) => one === 'COMPLETED').length;
    const wrong = [
      ...(text(sum(rungs.map((rung: Json) => dec(rung.usd)))) === totalUsd ? [] : ['rungs do not add up']),
      ...(rungs.every((rung: Json) => statuses.get(rung.triggerId) === rung.status)
        ? []
        : ['its rungs are not as their triggers']),
      ...(filledLevels === completed ? [] : [`${filledLevels} levels filled, ${completed} rungs completed`]),
      ...(status === 'ACTIVE' ? ['is still ACTIVE'] : []),
      ...((status === 'COMPLETED') === (completed === rungs.length) ? [] : [`is ${status} with ${ofRungs}`]),
    ];
    return wrong.map((what) => `ladder ${id}: ${what}`);
  });
}

/**
 * `created` once and first, one end, the one that fits. After it only `updated` may come: of a slice or a rung that was on its
 * way when the whole was cancelled.
 */
function endsTold(state: RestingState, { events }: AccountState): readonly string[] {
  const told = new Map<string, string[]>();
  for (const { event, entityId } of events) told.set(entityId, [...(told.get(entityId) ?? []), event]);
  const check = (kind: string, { id, status }: Json): readonly string[] => {
    const heard = (told.get(id) ?? []).map((event) => event.split('.')[1] ?? '');
    const ends = heard.filter((step) => ['completed', 'failed', 'cancelled'].includes(step));
    const expected =
      status === 'FAILED'
        ? 'failed'
        : ['CANCELLED', 'EXPIRED', 'STOPPED_BY_BRACKET'].includes(status)
          ? 'cancelled'
          : 'completed';
    const created = heard.filter((step) => step === 'created').length;
    const late = heard.slice(heard.indexOf(expected) + 1);
    const mayGoOn = kind !== 'trigger' && status === 'CANCELLED';
    const isRight =
      created === 1 &&
      heard[0] === 'created' &&
      ends.length === 1 &&
      ends[0] === expected &&
      (late.length === 0 || (mayGoOn && late.every((step) => step === 'updated')));
    return isRight ? [] : [`${kind} ${id} is ${status}, told as: ${heard.join(', ') || 'nothing'}`];
  };
  return [
    ...state.triggers.flatMap((trigger) => check('trigger', trigger)),
    ...state.schedules.flatMap((schedule) => check('schedule', schedule)),
    ...state.ladders.flatMap((ladder) => check('ladder', ladder)),
  ];
}

/** One notification for each trigger that fired, and none of any other; brackets see `bracketsTold`. */
function notifiedOnce({ triggers, notifications }: RestingState): readonly string[] {
  const times = new Map<string, number>();
  for (const { parameters } of notifications) {
    const { triggerId } = parameters;
    if (triggerId !== undefined) times.set(triggerId, (times.get(triggerId) ?? 0) + 1);
  }
  return triggers.flatMap(({ id, status, bracketType }) => {
    const fired = hasFired(status);
    const told = times.get(id) ?? 0;
    const isRight = bracketType !== null || told === (fired ? 1 : 0);
    return isRight ? [] : [`trigger ${id} is ${status}, notified ${told} times`];
  });
}

/** A round of a bracket, as its place among the rounds of its position says. */
interface Round {
  readonly executionId: string;
  readonly bracketId: string;
  /** 1, 2, …; a take-profit that gave way to the stop-loss begins with 1 again. */
  readonly number: number;
}

/**
 * A round that left the position open is told where it was the bracket's 1st, 2nd, 4th, 8th, …, and the bracket's end of
 * its last round; each once, of its own execution, and nothing else is. The bracket itself forgets its rounds when it gives
 * way, so they are counted by the executions of its position.
 */
export function bracketsTold(
  { triggers, notifications }: Pick<RestingState, 'triggers' | 'notifications'>,
  { executions }: Pick<AccountState, 'executions'>,
): readonly string[] {
  const brackets = new Map<string, Json>(
    triggers.filter(({ bracketType }) => bracketType !== null).map((one) => [one.id, one]),
  );
  const news = notifications.filter(({ parameters }) => brackets.has(parameters.triggerId));
  const positions = new Set([...brackets.values()].map(({ positionId }): string => positionId));
  const expected = [...positions].flatMap((positionId) => {
    const rounds = roundsOf(
      executions.filter(
        (one) => one.origin === 'BRACKET' && one.parentId === null && one.positionId === positionId,
      ),
      [...brackets.values()].filter((one) => one.positionId === positionId),
      news,
    );
    return rounds.flatMap((round, index) => toldOf(round, rounds[index + 1], brackets.get(round.bracketId)));
  });
  const said = news.map(({ category, parameters }) =>
    sentence(parameters.triggerId, parameters.executionId, category),
  );
  const left = [...said];
  const missing = expected.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...missing.map((one) => `not told: ${one}`), ...left.map((one) => `told without cause: ${one}`)];
}

const sentence = (bracketId: string, executionId: string, category: string) =>
  `${category} of bracket ${bracketId}, execution ${executionId}`;

/**
 * The rounds of one position, which never overlap, in their order. The first of a series is always named, by its
 * notification or by the bracket, whose only round it was; what nothing names goes on with the series before it.
 */
function roundsOf(executions: readonly Json[], brackets: readonly Json[], news: readonly Json[]): Round[] {
  const named = new Map<string, string>([
    ...news.map(({ parameters }): [string, string] => [parameters.executionId, parameters.triggerId]),
    ...brackets.map(({ id, executionId }): [string, string] => [executionId, id]),
  ]);
  const inOrder = [...executions].sort((one, other) => (key(one) < key(other) ? -1 : 1));
  const rounds: Round[] = [];
  for (const { id: executionId } of inOrder) {
    const before = rounds.at(-1);
    const bracketId = named.get(executionId) ?? before?.bracketId ?? 'that nothing names';
    const number = before?.bracketId === bracketId ? before.number + 1 : 1;
    rounds.push({ executionId, bracketId, number });
  }
  return rounds;
}

const key = ({ createdAt, id }: Json): string => `${createdAt} ${id}`;

/** Notifications due for the round. @param next the position's next round; undefined: its last */
function toldOf(
  { executionId, bracketId, number }: Round,
  next: Round | undefined,
  bracket: Json | undefined,
): readonly string[] {
  if (bracket === undefined) return [`a round of execution ${executionId}, of a bracket ${bracketId}`];
  const { bracketType, status } = bracket;
  const isLatest = bracket.executionId === executionId;
  const told = (outcome: 'HIT' | 'FAILED') => [sentence(bracketId, executionId, `${bracketType}_${outcome}`)];
  const isLeftOpen = next !== undefined || Number(bracket.bracket.rounds) === number;
  if (isLatest && Number(bracket.bracket.rounds) !== (isLeftOpen ? number : number - 1))
    return [`${bracket.bracket.rounds} rounds of bracket ${bracketId}, which had ${number}`];
  if (isLeftOpen) return Number.isInteger(Math.log2(number)) ? told('FAILED') : [];
  if (status === 'COMPLETED') return told('HIT');
  return status === 'FAILED' ? told('FAILED') : [];
}
