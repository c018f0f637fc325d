import { expect } from 'chai';
import { NothingToDo, Refusal, ResourceBusy } from '../../../gateway/client/client.ts';
import { refusalOf } from '../../../gateway/client/errors.ts';
import { settle } from '../../../renderer/features/resting-action/settle.ts';

const answerOf = (errorCode: string, details: object = {}) =>
  refusalOf(409, { message: `because of ${errorCode}`, errorCode, details });

/** A change that is refused a number of times first, and a wait that takes no time. */
function changing(...refusals: readonly Refusal[]) {
  const left = [...refusals];
  const waits: number[] = [];
  let settling = 0;
  const change = async () => {
    const refusal = left.shift();
    if (refusal !== undefined) throw refusal;
    return 'changed';
  };
  const wait = async (ms: number) => {
    waits.push(ms);
  };
  return {
    waits,
    settlingTimes: () => settling,
    run: (giveUpAfterMs = 20_000) =>
      settle(change, wait, () => (settling += 1), { firstPauseMs: 100, giveUpAfterMs }),
  };
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it went well');
}

describe('settling a change of something busy', () => {
  it('asks again while it is busy, with longer pauses, and tells so once', async () => {
    const busy = changing(answerOf('RESOURCE_BUSY'), answerOf('RESOURCE_BUSY'));
    expect(await busy.run()).to.deep.equal({ kind: 'done', answer: 'changed' });
    expect(busy.waits).to.deep.equal([100, 150]);
    expect(busy.settlingTimes()).to.equal(1);
  });

  it('takes "nothing to do" as information', async () => {
    const done = changing(answerOf('RESOURCE_BUSY'), answerOf('NOOP_ERROR'));
    expect(await done.run()).to.deep.equal({ kind: 'nothing', message: 'because of NOOP_ERROR' });
    expect(answerOf('NOOP_ERROR')).to.be.instanceOf(NothingToDo);
  });

  it('gives up with the last answer when it never settles', async () => {
    const busy = changing(...Array.from({ length: 50 }, () => answerOf('RESOURCE_BUSY')));
    expect(await errorOf(busy.run(1_000))).to.be.instanceOf(ResourceBusy);
    expect(busy.waits.length).to.be.within(4, 6);
  });

  it('does not wait for what no waiting settles', async () => {
    const paused = changing(answerOf('RESOURCE_BUSY', { reason: 'PAUSED' }));
    expect(await errorOf(paused.run())).to.be.instanceOf(ResourceBusy);
    const missing = changing(
      refusalOf(404, { message: 'gone', errorCode: 'RESOURCE_NOT_FOUND', details: {} }),
    );
    expect(await errorOf(missing.run())).to.be.instanceOf(Refusal);
    expect([...paused.waits, ...missing.waits]).to.deep.equal([]);
  });
});
