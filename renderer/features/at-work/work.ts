/** Running and pending orders of an open position in words: `TWAP 3/10`, `2 triggers`; shorter in a row. */
import type { Execution, Row } from '../../../gateway/client/client.ts';

export interface WorkSources {
  /** Executions in flight. */
  readonly executions: readonly Pick<Execution, 'positionId' | 'intent' | 'origin'>[];
  /** Pending triggers, with firing ones and ladder rungs. */
  readonly triggers: readonly Pick<
    Row<'GET /triggers'>,
    'positionId' | 'basketKey' | 'kind' | 'bracketType' | 'ladderId'
  >[];
  /** Running or paused TWAPs. */
  readonly schedules: readonly Pick<
    Row<'GET /schedules'>,
    'positionId' | 'basketKey' | 'kind' | 'status' | 'slicesCompleted' | 'sliceCount'
  >[];
}

/** List on the Orders screen; the panel on Trade shows TWAPs and ladders in one list. */
export type WorkPlace = 'executions' | 'twap' | 'triggers' | 'ladders';

export interface Work {
  readonly where: WorkPlace;
  /** Full text. */
  readonly text: string;
  /** Number of orders; a ladder counts as one. */
  readonly count: number;
  /** Short text for a row. */
  readonly brief: string;
}

const INTENTS: Readonly<Record<Execution['intent'], string>> = {
  OPEN: 'Opening',
  ADJUST: 'Adjusting',
  REDUCE: 'Reducing',
  CLOSE: 'Closing',
  REVERSE: 'Reversing',
};

interface Worked {
  readonly positionId: string | null;
  readonly basketKey: string;
  readonly kind: 'OPEN' | 'CLOSE';
}

/** Opening orders of the same basket also count: they add to the position, even if they did not open it. */
function concerns({ positionId, basketKey, kind }: Worked, position: WorkedOn): boolean {
  return positionId === position.id || (kind === 'OPEN' && basketKey === position.basketKey);
}

export interface WorkedOn {
  readonly id: string;
  readonly basketKey: string;
}

/** Executions first, then TWAPs, then triggers and ladders. Brackets are left out: rows show them elsewhere. */
export function workOn(position: WorkedOn, sources: WorkSources): readonly Work[] {
  const executions = sources.executions.filter(
    ({ positionId, origin }) => positionId === position.id && origin !== 'SCHEDULE',
  );
  const schedules = sources.schedules.filter((one) => concerns(one, position));
  const waiting = sources.triggers.filter((one) => one.bracketType === null && concerns(one, position));
  const rungs = waiting.filter(({ ladderId }) => ladderId !== null);
  const ladders = new Set(rungs.map(({ ladderId }) => ladderId)).size;
  const triggers = waiting.length - rungs.length;
  const [execution] = executions;
  const [schedule] = schedules;
  return [
    ...(execution === undefined ? [] : [work('executions', executions.length, INTENTS[execution.intent])]),
    ...(schedule === undefined
      ? []
      : [
          work(
            'twap',
            schedules.length,
            schedules.length === 1 ? progress(schedule) : `${schedules.length} TWAPs`,
          ),
        ]),
    ...(triggers === 0 ? [] : [work('triggers', triggers, counted(triggers, 'trigger'))]),
    ...(ladders === 0
      ? []
      : ladders === 1
        ? [work('ladders', 1, `Ladder, ${counted(rungs.length, 'rung')}`, counted(rungs.length, 'rung'))]
        : [work('ladders', ladders, `${ladders} ladders`)]),
  ];
}

const work = (where: WorkPlace, count: number, text: string, brief = text): Work => ({
  ...{ where, count, text, brief },
});

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

function progress({ status, slicesCompleted, sliceCount }: WorkSources['schedules'][number]): string {
  return `TWAP ${slicesCompleted}/${sliceCount}${status === 'PAUSED' ? ', paused' : ''}`;
}
