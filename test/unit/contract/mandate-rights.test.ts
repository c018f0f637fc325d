/** Every route that changes something says what a mandate has to allow for it. */
import { expect } from 'chai';
import { EVERY_ROUTE } from '../../../gateway/contract/every-route.ts';
import { MANDATE_RULES } from '../../../gateway/contract/mandate-rights.ts';
import type { RouteContract } from '../../../gateway/contract/route.ts';
import { ruleOf, withMandate } from '../../../gateway/http/mandate-gate.ts';

describe('what a mandate has to allow', () => {
  const mutating = [...EVERY_ROUTE].filter(([, { method, auth }]) => method !== 'GET' && auth === 'K');

  it('is said of every mutating route that a grant or a key may call', () => {
    expect(mutating.length).to.be.greaterThan(50);
    expect(mutating.map(([name]) => name).filter((name) => MANDATE_RULES[name] === undefined)).to.deep.equal(
      [],
    );
  });

  it('is said of no route that does not exist', () => {
    expect(Object.keys(MANDATE_RULES).filter((name) => !EVERY_ROUTE.has(name))).to.deep.equal([]);
  });

  it('stops the start where a route has no rule', () => {
    const contract: RouteContract = {
      method: 'POST',
      path: '/something/new/:id',
      auth: 'K',
      tag: 'New',
      summary: 'New',
      success: { 200: null },
    };
    const bind = () => withMandate({ contract, handle: () => ({}) }, undefined as never);
    expect(bind).to.throw('POST /something/new/{id} has no rule');
    expect(ruleOf({ ...contract, method: 'GET' })).to.equal(null);
    expect(ruleOf({ ...contract, auth: 'B' })).to.equal(null);
  });
});
