/** An agent that is disconnected while something of it is under way: what opens does not leave any more, what closes goes on. */

import { expect } from 'chai';
import type { Execution, Principal } from '../../../gateway/domain/model.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { basketOf, leg } from '../../support/engine-desk.ts';
import { unwrap } from '../../support/unwrap.ts';

const AGENT: Principal = {
  kind: 'oauth_grant',
  userId: 'user',
  grantId: 'grant',
  clientId: 'client',
  scopes: ['mcp:write'],
};
const PLACED = { authorityKind: 'oauth_grant', authorityId: 'grant' } as const;
const PAIR = [leg('AAA', 'BUY', '2', 'BASE'), leg('BBB', 'SELL', '3', 'BASE')];

describe('an agent that is disconnected', () => {
  const desk = engineDeskForEachTest();

  const open = (onLegFailure: Execution['onLegFailure'] = 'KEEP', agent = AGENT) =>
    desk.engine.openBasket(agent, desk.command(), basketOf(PAIR, { onLegFailure }));
  async function opened(...asked: Parameters<typeof open>): Promise<Execution> {
    return desk.ended(JSON.parse(unwrap(await open(...asked)).json).id);
  }

  it('opens nothing any more; another one does', async () => {
    desk.cutOff.add('grant');
    const refused = await open();
    expect(!refused.ok && refused.error).to.deep.include({
      code: 'NOOP_ERROR',
      message: 'The agent that placed it was disconnected',
    });
    expect(desk.commits.flatMap(({ unit }) => unit.newExecutions ?? [])).to.deep.equal([]);
    const other = await opened('KEEP', { ...AGENT, grantId: 'other' });
    expect(other).to.include({ ...PLACED, authorityId: 'other', status: 'COMPLETED' });
  });

  it('what was accepted before and has not left fails, and says so', async () => {
    const { balances } = desk.venue;
    desk.venue.balances = async (account) => {
      desk.venue.balances = balances;
      desk.cutOff.add('grant');
      return balances(account);
    };
    expect(await opened()).to.include({
      ...PLACED,
      status: 'FAILED',
      errorCode: 'AGENT_DISCONNECTED',
      activeAt: null,
    });
    expect(desk.venue.batches).to.deep.equal([]);
  });

  it('a close that it asked for goes on', async () => {
    const { positionId } = await opened();
    desk.cutOff.add('grant');
    const close = { positionId: positionId ?? '', fraction: '1', slippage: null, clientId: null };
    expect(
      await desk.ended(
        JSON.parse(unwrap(await desk.engine.closePosition(AGENT, desk.command(), close)).json).id,
      ),
    ).to.include({ ...PLACED, status: 'COMPLETED' });
  });

  it('what failed in part is closed again, placed by the same', async () => {
    desk.venue.behave(({ symbol, reduceOnly }) =>
      symbol === 'BBB-PERP' && !reduceOnly ? { fraction: '0' } : {},
    );
    desk.venue.onArrival(() => {
      desk.cutOff.add('grant');
    });
    const failed = await opened('UNWIND');
    await desk.allEnded();
    const [unwind] = desk.commits
      .flatMap(({ unit }) => unit.newExecutions ?? [])
      .filter(({ parentId }) => parentId === failed.id);
    expect(unwind).to.include(PLACED);
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
  });
});
