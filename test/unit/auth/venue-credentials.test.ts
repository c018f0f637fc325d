/** Credentials of a live venue: checked before it is asked, and given to it at every opening until they are removed. */
import { expect } from 'chai';
import type { Principal } from '../../../gateway/domain/model.ts';
import { fail, ok } from '../../../gateway/domain/result.ts';
import type {
  CredentialField,
  Venue,
  VenueAccount,
  VenueCredentials,
} from '../../../gateway/engine/ports/venue.ts';
import { createMemoryVault } from '../../../gateway/vault/memory-vault.ts';
import { type AuthFixture, startAuth } from './auth-fixture.ts';

const field = (name: string, kind: CredentialField['kind'], required = true): CredentialField => ({
  name,
  label: `The ${name}`,
  kind,
  secret: name === 'apiSecret',
  required,
  hint: null,
});
const FIELDS = [
  field('apiSecret', 'text'),
  field('accountIndex', 'number'),
  field('testnet', 'yes-no', false),
];
const CREDENTIALS = { apiSecret: 'hush-hush', accountIndex: 7 };

describe('credentials that a venue asks for', () => {
  let fixture: AuthFixture;
  let owner: Principal;
  let asked: VenueCredentials[];
  let opened: (readonly [VenueAccount, VenueCredentials | undefined])[];
  let closed: VenueAccount[];
  /** True: the venue accepts the right secret. */
  let isTaken: boolean;
  let expiresAt: number | null;
  let warnings: string[];

  function plugIn(): void {
    const { live } = fixture;
    const venue: Partial<Venue> = {
      info: { ...live.info, credentials: FIELDS },
      async checkCredentials({ credentials }) {
        asked.push(credentials);
        if (credentials['apiSecret'] === CREDENTIALS.apiSecret && isTaken)
          return ok({ exchangeIdentifier: `account-${credentials['accountIndex']}`, expiresAt, warnings });
        return fail({ kind: 'refused', path: 'apiSecret', message: 'Not known here' });
      },
      async openAccount(account, access) {
        opened.push([account, access?.credentials]);
        return ok(undefined);
      },
      closeAccount: (account) => closed.push(account),
    };
    Object.assign(live, venue);
  }

  beforeEach(async () => {
    asked = [];
    opened = [];
    closed = [];
    isTaken = true;
    expiresAt = null;
    warnings = [];
    fixture = await startAuth({ options: { vault: createMemoryVault() } });
    const { user, session } = await fixture.register();
    owner = { kind: 'session', userId: user.id, sessionId: session.id };
    plugIn();
  });
  afterEach(() => fixture.close());

  const create = (credentials: VenueCredentials) => fixture.newAccount(owner.userId, { credentials });
  const created = async (accountIndex = 7) => {
    const made = await create({ ...CREDENTIALS, accountIndex });
    if (!made.ok) throw new Error(made.error.kind);
    return made.value;
  };

  const UNFIT: readonly (readonly [VenueCredentials, string, string])[] = [
    [{ accountIndex: 7 }, 'apiSecret', 'The apiSecret is needed'],
    [{ ...CREDENTIALS, accountIndex: '7' }, 'accountIndex', 'The accountIndex has to be a whole number'],
    [{ ...CREDENTIALS, testnet: 'no' }, 'testnet', 'The testnet has to be true or false'],
    [{ ...CREDENTIALS, passphrase: 'x' }, 'passphrase', 'The venue has no such field'],
  ];
  for (const [credentials, path, message] of UNFIT)
    it(`are refused at ${path} without the venue: ${message}`, async () => {
      expect(await create(credentials)).to.deep.equal(
        fail({ kind: 'credentials', refusal: { kind: 'refused', path, message } }),
      );
      expect(asked).to.deep.equal([]);
    });

  it('are refused by the venue, and nothing is opened', async () => {
    const made = await create({ ...CREDENTIALS, apiSecret: 'other' });
    expect(made).to.have.nested.property('error.refusal.message', 'Not known here');
    expect(opened).to.deep.equal([]);
  });

  it('come with the opening of the account, and again after a restart', async () => {
    const { id } = await created();
    const account = { tradeAccountId: id, exchangeIdentifier: 'account-7' };
    expect(opened).to.deep.equal([[account, CREDENTIALS]]);
    fixture = await fixture.restart();
    plugIn();
    opened = [];
    await fixture.auth.accounts.openAll('live');
    expect(opened).to.deep.equal([[account, CREDENTIALS]]);
  });

  it('are forgotten by the venue when they are removed, and when the account is', async () => {
    const [first, second] = [await created(), await created(8)];
    expect(await fixture.auth.accounts.removeCredentials(first.id)).to.have.property('ok', true);
    expect(await fixture.auth.accounts.remove(second.id)).to.have.property('ok', true);
    expect(closed.map(({ tradeAccountId }) => tradeAccountId)).to.deep.equal([first.id, second.id]);
  });

  it('connect an account of the venue once, also when two callers do it together', async () => {
    const made = await Promise.all([create(CREDENTIALS), create(CREDENTIALS)]);
    expect(made.filter(({ ok }) => ok)).to.have.length(1);
    expect(made.filter(({ ok }) => !ok)).to.deep.equal([fail({ kind: 'connected_already', alias: 'Live' })]);
    const other = await created(8);
    const moved = await fixture.auth.accounts.storeCredentials(other.id, CREDENTIALS);
    expect(moved).to.deep.equal(fail({ kind: 'connected_already', alias: 'Live' }));
    expect(fixture.auth.accounts.get(other.id)).to.include({
      exchangeIdentifier: 'account-8',
      status: 'READY',
    });
  });

  it('of the same account may be renewed while it is in use, those of another may not, nor be removed', async () => {
    const { id } = await created();
    fixture.openBusiness.add(id);
    const { accounts } = fixture.auth;
    expect(await accounts.storeCredentials(id, CREDENTIALS)).to.have.property('ok', true);
    const other = await accounts.storeCredentials(id, { ...CREDENTIALS, accountIndex: 8 });
    expect(other).to.deep.equal(fail({ kind: 'busy' }));
    expect(await accounts.removeCredentials(id)).to.deep.equal(fail({ kind: 'busy' }));
    expect(await accounts.readCredentials(id)).to.deep.equal(ok(CREDENTIALS));
  });

  describe('asked about again', () => {
    const notices = () =>
      fixture.commits
        .flatMap(({ notifications }) => notifications ?? [])
        .map(({ category, parameters }) => [category, parameters.reason]);
    const statusOf = (id: string) => fixture.auth.accounts.get(id)?.status;

    it('and refused now: the account is INVALID_CREDENTIALS, its owner is told once, it is watched after a restart', async () => {
      const { id } = await created();
      isTaken = false;
      await fixture.auth.accounts.recheck(id);
      await fixture.auth.accounts.recheck(id);
      expect(statusOf(id)).to.equal('INVALID_CREDENTIALS');
      expect(notices()).to.deep.equal([['CREDENTIALS_REFUSED', 'Not known here']]);
      fixture = await fixture.restart();
      plugIn();
      opened = [];
      await fixture.auth.accounts.openAll('live');
      expect(opened).to.have.length(1);
      expect(statusOf(id)).to.equal('INVALID_CREDENTIALS');
      isTaken = true;
      await fixture.auth.accounts.recheck(id);
      expect(statusOf(id)).to.equal('READY');
    });

    it('and silent: nothing changes', async () => {
      const { id } = await created();
      Object.assign(fixture.live, {
        checkCredentials: async () => fail({ kind: 'unknown', message: 'no answer' }),
      });
      await fixture.auth.accounts.recheck(id);
      expect(statusOf(id)).to.equal('READY');
      expect(notices()).to.deep.equal([]);
    });

    it('and near their end: the owner is told in the last seven days, and the account says when', async () => {
      const { id } = await created();
      const now = fixture.clock.now();
      expiresAt = now + 8 * 86_400_000;
      await fixture.auth.accounts.recheck(id);
      expect(notices()).to.deep.equal([]);
      expiresAt = now + 6 * 86_400_000;
      warnings = ['Another program trades it'];
      await fixture.auth.accounts.recheck(id);
      const day = new Date(expiresAt).toISOString().slice(0, 10);
      const [told] = notices();
      expect(told?.[0]).to.equal('CREDENTIALS_EXPIRING');
      expect(told?.[1]).to.include(day);
      const account = fixture.auth.accounts.get(id);
      if (account === undefined) throw new Error('no account');
      const details = fixture.auth.accounts.health(account).checks.map(({ name, detail }) => [name, detail]);
      expect(details).to.deep.include(['credentials', `Accepted by the venue, until ${day}`]);
      expect(details).to.deep.include(['notice', 'Another program trades it']);
    });
  });
});
