/** Numbers of 48 bits for ids of 128: kept before the order leaves, found again by a later run, never given out twice. */
import { expect } from 'chai';
import { ClientIds } from '../../../../../gateway/venues/live/lighter/client-ids.ts';
import { memoryStore } from '../../../../support/venues/shared/memory-host.ts';

const A = '0x0000000000010000000000020000000000000003';
const id = (first: string, second = '000000000002', rest = '00000003') => `0x${first}${second}${rest}`;

describe('numbers of orders at Lighter', () => {
  const settings = new Map<string, string>();
  const run = () => new ClientIds(memoryStore(settings), 'venue:lighter:order:7');
  beforeEach(() => settings.clear());

  it('are the first 48 bits, on disk before they are given out, and found by a later run both ways', async () => {
    const one = id('00000000abcd');
    const assigned = await run().assign([one]);
    expect(assigned?.get(one)).to.deep.equal({ index: 0xabcd, isNew: true });
    expect([...settings.values()]).to.deep.equal([one]);
    const later = run();
    expect(await later.nameOf(0xabcd)).to.equal(one);
    expect(await later.indexOf(one)).to.equal(0xabcd);
    expect((await later.assign([one]))?.get(one)).to.deep.equal({ index: 0xabcd, isNew: false });
  });

  it('are the next 48 bits where another order has the first ones, also in one batch, and where those are 0', async () => {
    const [one, other] = [id('00000000abcd', '000000000001'), id('00000000abcd', '000000000002')];
    const zero = id('000000000000', '00000000beef');
    const assigned = await run().assign([one, other, zero]);
    expect([one, other, zero].map((name) => assigned?.get(name)?.index)).to.deep.equal([0xabcd, 2, 0xbeef]);
    expect(await run().indexOf(other)).to.equal(2);
    expect(await run().nameOf(0xabcd)).to.equal(one);
  });

  it('an id that was never sent has none, nor one that is no id of ours', async () => {
    const ids = run();
    expect(await ids.indexOf(id('00000000abcd'))).to.equal(null);
    expect(await ids.indexOf('never-sent')).to.equal(null);
    expect((await ids.assign(['never-sent', A]))?.size).to.equal(0);
    expect([await ids.nameOf(0), await ids.nameOf(5)]).to.deep.equal([null, null]);
  });

  it('where the disk fails nothing is given out', async () => {
    const store = memoryStore(settings);
    const broken = { ...store, commit: async () => ({ ok: false, error: { kind: 'disk' } }) as never };
    const ids = new ClientIds(broken, 'venue:lighter:order:7');
    expect(await ids.assign([id('00000000abcd')])).to.equal(null);
    expect(await ids.indexOf(id('00000000abcd'))).to.equal(null);
  });
});
