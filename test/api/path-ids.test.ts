/** An id in a path that no resource has is 404, whatever it looks like. */
import { expect } from 'chai';
import { EVERY_ROUTE } from '../../gateway/contract/every-route.ts';
import type { RouteContract } from '../../gateway/contract/route.ts';
import { gatewayForSuite } from '../support/gateway.ts';

const idsOf = (name: string) => [...name.matchAll(/\{(id|\w+Id)\}/g)].map(([, id]) => id);

describe('API: unknown ids in paths', () => {
  const gateway = gatewayForSuite();
  let headers: Record<string, string>;
  before(async () => {
    const { accessToken, tradeAccount } = await gateway.register();
    headers = { authorization: `Bearer ${accessToken}`, 'x-trade-account-id': tradeAccount.id };
  });

  const routes = [...EVERY_ROUTE].filter(([name]) => idsOf(name).length > 0);
  const ask = (name: string, { method }: RouteContract, id: string) => {
    const path = (name.split(' ')[1] ?? '').replace(/\{\w+\}/g, id);
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    return gateway.request(method, path, { headers, ...body });
  };

  it('are of many routes', () => expect(routes.length).to.be.at.least(50));

  for (const [name, route] of routes) {
    it(`${name} does not judge how the id is written`, async () => {
      for (const id of ['abc', 'ABC-1', '00000000-0000-4000-8000-000000000000']) {
        const { status, json, text } = await ask(name, route, id);
        // Other required input may be missing: a 400 then names the body, never the id.
        const paths = status === 400 ? json.details.map(({ path }: { path: string }) => path) : [];
        expect(status, `${id}: ${text}`).to.be.oneOf(route.body === undefined ? [404] : [400, 404]);
        for (const param of idsOf(name)) expect(paths, id).to.not.include(param);
      }
    });
  }
});
