/** A gateway that is killed loses no delivery: what was under way, and what nobody had begun, comes after the start. */
import { expect } from 'chai';
import { gatewayProcesses } from '../real-time/support/gateway-processes.ts';
import { until } from '../real-time/support/until.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import type { Json } from '../support/json.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PAIR, type Trader, trader, traderOn } from '../support/trader.ts';

describe('webhooks of a gateway that is killed', function () {
  this.timeout(120_000);
  let dataDir: string;
  const { start } = gatewayProcesses();
  let receiver: HookReceiver;

  before(async () => {
    dataDir = await temporaryFolder();
    receiver = await HookReceiver.open();
  });
  after(() => receiver.close());

  it('comes again with the same event id, and none is left out', async () => {
    const gateway = await start({ dataDir });
    const bot: Trader = await trader(gateway);
    const made = await bot.call('POST', '/webhooks', { url: receiver.url, events: ['execution.completed'] });
    expect(made.status, made.text).to.equal(201);
    receiver.answers = ['hang'];
    const opened = [];
    for (let round = 0; round < 5; round += 1) opened.push(await bot.open(PAIR));
    await until('the first is under way', async () => receiver.received.length === 1);
    await gateway.process.stop('SIGKILL');
    receiver.answers = [{ status: 200 }];
    const again = traderOn(await start({ dataDir }), bot);
    await until('all have come', async () => receiver.received.length >= 6, 30_000);
    const ids = receiver.received.map(({ json }) => json.id);
    expect(ids[1]).to.equal(ids[0]);
    expect(receiver.received.slice(1).map(({ json }) => json.data.entityId)).to.deep.equal(
      opened.map(({ id }) => id),
    );
    await until('the log says so', async () => {
      const { deliveries } = (await again.call('GET', `/webhooks/${made.json.id}/deliveries`)).json;
      return deliveries.length === 5 && deliveries.every(({ status }: Json) => status === 'DELIVERED');
    });
    expect(receiver.received.length).to.equal(6);
  });
});
