/** An order that is never sent again is looked for under its key until the gateway knows it. */
import { expect } from 'chai';
import { NoAnswer, refusalOf } from '../../../gateway/client/errors.ts';
import { findPlaced } from '../../../gateway/client/place-order.ts';

const NO_RECORD = refusalOf(404, { message: 'Execution not found', errorCode: 'RESOURCE_NOT_FOUND' });
const FAILURE = refusalOf(500, { message: 'Database error', errorCode: 'DATABASE_ERROR' });
const FORBIDDEN = refusalOf(403, { message: 'Forbidden', error: 'Forbidden', statusCode: 403 });
const SILENCE = new NoAnswer('no answer in time');

/** Answers one after the other; `said` is what each attempt in vain was told to be. */
function gateway(...answers: readonly (Error | string)[]) {
  const left = [...answers];
  const said: boolean[] = [];
  const ask = async () => {
    const answer = left.shift() ?? 'asked too often';
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const goOn = (hasNoRecord: boolean) => {
    said.push(hasNoRecord);
    return said.length < 3;
  };
  return { said, outcome: findPlaced(ask, goOn, 1).catch((error: unknown) => error) };
}

describe('looking for an order whose answer was lost', () => {
  it('finds it at once, or once it has arrived', async () => {
    expect(await gateway('found').outcome).to.equal('found');
    expect(await gateway(NO_RECORD, NO_RECORD, 'found').outcome).to.equal('found');
  });

  it('tells no record from no answer, and ends when it shall', async () => {
    const { said, outcome } = gateway(SILENCE, FAILURE, NO_RECORD, 'found');
    expect(await outcome).to.equal(null);
    expect(said).to.deep.equal([false, false, true]);
  });

  it('ends with a refusal that asking again does not change', async () => {
    expect(await gateway(NO_RECORD, FORBIDDEN, 'found').outcome).to.equal(FORBIDDEN);
  });
});
