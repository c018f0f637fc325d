/** What a live venue asks for is checked before it is asked, and reaches it at every opening until it is removed. */
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

  function plugIn(): void {
    const { live } = fixture;
    const venue: Partial<Venue> = {
      info: { ...live.info, credentials: FIELDS },
      async checkCredentials({ credentials }) {
        asked.push(credentials);
        if (credentials['apiSecret'] === CREDENTIALS.apiSecret)
          return ok({ exchangeIdentifier: 'account-7', expiresAt: null, warnings: [] });
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
    fixture = await startAuth({ options: { vault: createMemoryVault() } });
    const { user, session } = await fixture.register();
    owner = { kind: 'session', userId: user.id, sessionId: session.id };
    plugIn();
  });
  afterEach(() => fixture.close());

  const create = (credentials: VenueCredentials) =>
    fixture.auth.accounts.create({
      userId: owner.userId,
      alias: 'Live',
      connector: 'live',
      metadata: null,
      credentials,
    });
  const created = async () => {
    const made = await create(CREDENTIALS);
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
    const [first, second] = [await created(), await created()];
    expect(await fixture.auth.accounts.removeCredentials(first.id)).to.have.property('ok', true);
    expect(await fixture.auth.accounts.remove(second.id)).to.have.property('ok', true);
    expect(closed.map(({ tradeAccountId }) => tradeAccountId)).to.deep.equal([first.id, second.id]);
  });
});
