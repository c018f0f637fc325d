/** A gateway that is killed loses no delivery: what was under way, and what nobody had begun, comes after the start. */
import { expect } from 'chai';
import { processClient } from '../real-time/support/process-client.ts';
import { until } from '../real-time/support/until.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import type { Json } from '../support/json.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { PAIR, type Trader, trader, traderOn } from '../support/trader.ts';

describe('webhooks of a gateway that is killed', function () {
  this.timeout(120_000);
  let dataDir: string;
  let gateway: GatewayProcess;
  let receiver: HookReceiver;

  before(async () => {
    buildGateway();
    dataDir = await temporaryFolder();
    receiver = await HookReceiver.open();
  });
  after(async () => {
    await gateway.stop('SIGKILL');
    await receiver.close();
    await removeTemporaryFolders();
  });

  it('comes again with the same event id, and none is left out', async () => {
    gateway = launchGateway({ dataDir });
    const bot: Trader = await trader(processClient((await gateway.ready).url));
    const made = await bot.call('POST', '/webhooks', { url: receiver.url, events: ['execution.completed'] });
    expect(made.status, made.text).to.equal(201);
    receiver.answers = ['hang'];
    const opened = [];
    for (let round = 0; round < 5; round += 1) opened.push(await bot.open(PAIR));
    await until('the first is under way', async () => receiver.received.length === 1);
    await gateway.stop('SIGKILL');
    receiver.answers = [{ status: 200 }];
    gateway = launchGateway({ dataDir });
    const { url } = await gateway.ready;
    const again = traderOn(processClient(url), bot);
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
