/** What is being done to an open position, or waits to change it: `TWAP 3/10`, `2 triggers`; in a row in short. */
import type { Execution, Row } from '../../../gateway/client/client.ts';

export interface WorkSources {
  /** Those that are under way. */
  readonly executions: readonly Pick<Execution, 'positionId' | 'intent' | 'origin'>[];
  /** Those that wait, firing ones and rungs of ladders too. */
  readonly triggers: readonly Pick<
    Row<'GET /triggers'>,
    'positionId' | 'basketKey' | 'kind' | 'bracketType' | 'ladderId'
  >[];
  /** Those that run or are paused. */
  readonly schedules: readonly Pick<
    Row<'GET /schedules'>,
    'positionId' | 'basketKey' | 'kind' | 'status' | 'slicesCompleted' | 'sliceCount'
  >[];
}

/** A list of Orders that has it; in the panel of Trade TWAPs and ladders are one. */
export type WorkPlace = 'executions' | 'twap' | 'triggers' | 'ladders';

export interface Work {
  readonly where: WorkPlace;
  /** In whole words. */
  readonly text: string;
  /** How many there are: a ladder is one. */
  readonly count: number;
  /** As a row has room for. */
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

/** What opens the same basket adds to the position, whether or not it has led to it. */
function concerns({ positionId, basketKey, kind }: Worked, position: WorkedOn): boolean {
  return positionId === position.id || (kind === 'OPEN' && basketKey === position.basketKey);
}

export interface WorkedOn {
  readonly id: string;
  readonly basketKey: string;
}

/** What is under way first, then what comes by time, then what waits for a level. Brackets stand beside it. */
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
