/** Checks that each order on an account, and everything that follows from it, has its caller's authority. */
import type { AccountState } from '../../support/account-state.ts';
import type { RestingState } from '../../support/audit-resting.ts';
import type { Json } from '../../support/json.ts';
import type { Asker } from './askers.ts';

/** @param askers those that have traded on the account */
export function auditAuthority(
  { executions }: Pick<AccountState, 'executions'>,
  askers: readonly Asker[],
  resting: Pick<RestingState, 'triggers' | 'schedules' | 'ladders'> = {
    triggers: [],
    schedules: [],
    ladders: [],
  },
): readonly string[] {
  const known = new Set(askers.map(({ kind, name }) => `${kind} ${name}`));
  const by = ({ authority }: Json) => `${authority.kind} ${authority.name}`;
  const foreign = (what: string, things: readonly Json[]) =>
    things
      .filter((thing) => !known.has(by(thing)))
      .map((thing) => `${what} ${thing.id} was placed by ${by(thing)}`);
  const things = [
    ...resting.triggers,
    ...resting.schedules.flatMap(({ slices, authority }) =>
      slices.map((slice: Json) => ({ ...slice, authority })),
    ),
  ];
  const parents = new Map(executions.map((one: Json) => [one.id, one]));
  const led = new Map(things.map((thing: Json) => [thing.executionId, thing]));
  const torn = executions.flatMap((one: Json) =>
    [parents.get(one.parentId), led.get(one.id)].flatMap((from) =>
      from === undefined || by(from) === by(one)
        ? []
        : [`execution ${one.id} was placed by ${by(one)}, what led to it by ${by(from)}`],
    ),
  );
  return [
    ...foreign('execution', executions),
    ...foreign('trigger', resting.triggers),
    ...foreign('schedule', resting.schedules),
    ...foreign('ladder', resting.ladders),
    ...torn,
  ];
}
