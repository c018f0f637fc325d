/**
 * The ten set-up routes against every kind of wrong input, as a table: each answers its documented error, and after each
 * the venue's ledger is what it was, word for word, and so are the accounts of the gateway and what it has noted.
 */
import { expect } from 'chai';
import { ACCOUNT, altered, INTEGRATOR, OTHER_ACCOUNT, refusal, SetupDesk } from '../support/setup-desk.ts';
import { makeKey } from '../support/venues/lighter/trader.ts';

const PAYEE = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';
const UNKNOWN_ACCOUNT = 9_999;
const ENOUGH_MS = 30_000;

/** Name of a mistake, the request body with it, and the field that the 400 names ('' for none) or another refusal. */
type Row = readonly [what: string, body: object | string, expected: string];

const refusalOf = (expected: string) =>
  /^\d/.test(expected) ? expected : `400 VALIDATION_ERROR ${expected}`.trim();

interface Prepared {
  readonly txInfo: string;
  readonly messageToSign: string;
}

describe('API: wrong input of the set-up routes', function () {
  this.timeout(ENOUGH_MS);
  const desk = new SetupDesk();
  let signer = { accountIndex: ACCOUNT, apiKeyIndex: 0, apiPrivateKey: '' };

  before(async () => {
    signer = await desk.openForRefusals({ 6: makeKey('of the stranger').publicKey });
  });
  after(() => desk.close());

  /** All that could have moved: at the venue, in the gateway's accounts, in its audit log. */
  const everything = async (): Promise<string> => {
    const { script } = desk.emulator;
    const { tradeAccounts } = (await desk.as(desk.owner, 'GET', '/trade-accounts')).json;
    const there = [ACCOUNT, OTHER_ACCOUNT, INTEGRATOR].map((index) => script.state(index));
    const own = tradeAccounts.map(({ id, alias, status, connector }: Record<string, string>) =>
      [id, alias, status, connector].join(),
    );
    return JSON.stringify([there, own, await desk.audited()]);
  };

  async function holds(path: string, rows: readonly Row[]): Promise<void> {
    for (const [what, body, expected] of rows) {
      const before = await everything();
      const headers = { ...desk.program, 'content-type': 'application/json' };
      const answer = await desk.gateway.request('POST', `/misc/exchange/${path}`, { headers, body });
      expect(refusal(answer), `${path}, ${what}: ${answer.text}`).to.equal(refusalOf(expected));
      expect(await everything(), `${path}, ${what}`).to.equal(before);
    }
  }

  /** Refusals shared by every route that names an account and a key. */
  const ofSigner = (rest: object): readonly Row[] => {
    const good = { ...signer, ...rest };
    const { accountIndex, apiPrivateKey, ...key } = signer;
    return [
      ['a key of the venue’s own programs', { ...good, apiKeyIndex: 3 }, 'apiKeyIndex'],
      ['the index of all keys', { ...good, apiKeyIndex: 255 }, 'apiKeyIndex'],
      ['a key index that is text', { ...good, apiKeyIndex: '5' }, 'apiKeyIndex'],
      ['an account below zero', { ...good, accountIndex: -1 }, 'accountIndex'],
      ['two names', { ...good, walletAddress: desk.wallet.address }, ''],
      ['no name', { ...rest, ...key, apiPrivateKey }, ''],
      [
        'a wallet without an account',
        { ...rest, ...key, apiPrivateKey, walletAddress: PAYEE },
        'walletAddress',
      ],
      ['a key that no account here has', { ...rest, accountIndex, apiKeyIndex: 9 }, 'apiPrivateKey'],
      ['no key index and no account in the header', { ...rest, accountIndex }, 'apiKeyIndex'],
      ['half a private key', { ...good, apiPrivateKey: 'ab' }, 'apiPrivateKey'],
      ['a field that there is not', { ...good, sudo: true }, 'sudo'],
      ['what is no JSON', '{"accountIndex":', ''],
    ];
  };

  /** Refusals shared by every route that takes a signed transaction. @param sign as the owner signs it */
  async function ofSigned(made: Prepared, rest: object): Promise<readonly Row[]> {
    const { txInfo, messageToSign } = made;
    const signature = await desk.sign(messageToSign);
    const with_ = (change: object) => ({ txInfo, signature, ...rest, ...change });
    const flipped = `${signature.slice(0, -2)}${signature.endsWith('1b') ? '1c' : '1b'}`;
    return [
      [
        'another wallet',
        with_({ signature: await desk.stranger.signMessage({ message: messageToSign }) }),
        'signature',
      ],
      ['another text', with_({ signature: await desk.sign('hello') }), 'signature'],
      ['the other parity', with_({ signature: flipped }), 'signature'],
      ['no point of the curve', with_({ signature: `0x${'f'.repeat(130)}` }), 'signature'],
      ['half a signature', with_({ signature: signature.slice(0, 66) }), 'signature'],
      [
        'an expired message',
        with_({ txInfo: altered(txInfo, { ExpiredAt: desk.gateway.clock.now() - 1 }) }),
        'txInfo',
      ],
      [
        'a later end than was signed',
        with_({ txInfo: altered(txInfo, { ExpiredAt: desk.gateway.clock.now() + 86_400_000 }) }),
        'txInfo',
      ],
      ['a reserved key', with_({ txInfo: altered(txInfo, { ApiKeyIndex: 2 }) }), 'txInfo'],
      ['another number', with_({ txInfo: altered(txInfo, { Nonce: 4_711 }) }), 'signature'],
      ['a number below zero', with_({ txInfo: altered(txInfo, { Nonce: -1 }) }), 'txInfo'],
      ['a field too many', with_({ txInfo: altered(txInfo, { Extra: 1 }) }), 'txInfo'],
      ['what is no transaction', with_({ txInfo: 'nothing' }), 'txInfo'],
      ['no transaction', { signature, ...rest }, 'txInfo'],
      ['a field that there is not', with_({ sudo: true }), 'sudo'],
    ];
  }

  it('create-api-key', async () => {
    await holds('create-api-key', [
      ['a reserved key', { accountIndex: ACCOUNT, apiKeyIndex: 3 }, 'apiKeyIndex'],
      ['the index of all keys', { accountIndex: ACCOUNT, apiKeyIndex: 255 }, 'apiKeyIndex'],
      ['an unknown account', { accountIndex: UNKNOWN_ACCOUNT }, 'accountIndex'],
      ['a wallet without an account', { walletAddress: PAYEE }, 'walletAddress'],
      ['what is no wallet', { walletAddress: '0x12' }, 'walletAddress'],
      ['two names', { accountIndex: ACCOUNT, walletAddress: desk.wallet.address }, ''],
      ['no name', {}, ''],
      ['a field that there is not', { accountIndex: ACCOUNT, sudo: 1 }, 'sudo'],
    ]);
  });

  it('change-pub-key', async () => {
    const made: Prepared = await desk.good('create-api-key', { accountIndex: ACCOUNT });
    const thief = Buffer.from(makeKey('thief').publicKey, 'hex').toString('base64');
    const signature = await desk.sign(made.messageToSign);
    await holds('change-pub-key', [
      ...(await ofSigned(made, {})),
      [
        'another key than the wallet has seen',
        { txInfo: altered(made.txInfo, { PubKey: thief }), signature },
        'signature',
      ],
      [
        'somebody else’s account',
        { txInfo: altered(made.txInfo, { AccountIndex: OTHER_ACCOUNT }), signature },
        'signature',
      ],
    ]);
    await desk.good('change-pub-key', { txInfo: made.txInfo, signature });
    await holds('change-pub-key', [
      ['what was submitted already', { txInfo: made.txInfo, signature }, '409 NOOP_ERROR'],
    ]);
  });

  it('prepare-approve-integrator and submit-approve-integrator', async () => {
    await holds('prepare-approve-integrator', [
      ...ofSigner({}),
      ['an end in the past', { ...signer, approvalExpiry: '2020-01-01T00:00:00Z' }, 'approvalExpiry'],
      ['an end that is no time', { ...signer, approvalExpiry: 'soon' }, 'approvalExpiry'],
    ]);
    const made: Prepared = await desk.good('prepare-approve-integrator', signer);
    await holds('submit-approve-integrator', await ofSigned(made, {}));
    const body = { txInfo: made.txInfo, signature: await desk.sign(made.messageToSign) };
    await desk.good('submit-approve-integrator', body);
    await holds('submit-approve-integrator', [['what was submitted already', body, '409 NOOP_ERROR']]);
  });

  it('create-auth-token', async () => {
    const tooLong = new Date(desk.gateway.clock.now() + 8.5 * 3_600_000).toISOString();
    const { privateKey } = makeKey('not registered');
    await holds('create-auth-token', [
      ...ofSigner({}),
      ['more than 8 hours', { ...signer, deadline: tooLong }, 'deadline'],
      ['an end in the past', { ...signer, deadline: '2020-01-01T00:00:00Z' }, 'deadline'],
      ['a key that the venue does not have', { ...signer, apiPrivateKey: privateKey }, 'apiPrivateKey'],
    ]);
  });

  it('prepare-fast-withdraw and submit-fast-withdraw', async () => {
    const wanted = { amount: '100', toAddress: PAYEE };
    await holds('prepare-fast-withdraw', [
      ...ofSigner(wanted),
      ['more than there is', { ...signer, amount: '1000000' }, 'amount'],
      ['nothing', { ...signer, amount: '0' }, 'amount'],
      ['less than nothing', { ...signer, amount: '-5' }, 'amount'],
      ['a seventh decimal', { ...signer, amount: '1.0000001' }, 'amount'],
      ['an amount that is a number', { ...signer, amount: 5 }, 'amount'],
      ['nobody’s address', { ...signer, amount: '1', toAddress: `0x${'0'.repeat(40)}` }, 'toAddress'],
      ['what is no address', { ...signer, amount: '1', toAddress: 'me' }, 'toAddress'],
    ]);
    const made: Prepared = await desk.good('prepare-fast-withdraw', { ...signer, ...wanted });
    const signature = await desk.sign(made.messageToSign);
    const body = { txInfo: made.txInfo, signature, ...wanted };
    await holds('submit-fast-withdraw', [
      ...(await ofSigned(made, { ...wanted, apiPrivateKey: signer.apiPrivateKey })),
      ['another address', { ...body, toAddress: desk.stranger.address }, 'toAddress'],
      ['another amount', { ...body, amount: '100.000001' }, 'amount'],
      ['no address', { txInfo: made.txInfo, signature }, 'toAddress'],
      [
        'more than was signed',
        { ...body, txInfo: altered(made.txInfo, { Amount: 9_000_000_000 }) },
        'signature',
      ],
      ['half a private key', { ...body, apiPrivateKey: 'ab' }, 'apiPrivateKey'],
    ]);
    await desk.good('submit-fast-withdraw', body);
    await holds('submit-fast-withdraw', [['what was submitted already', body, '409 NOOP_ERROR']]);
  });

  it('change-account-tier', async () => {
    const { script } = desk.emulator;
    const plus = { ...signer, tier: 'plus' };
    await holds('change-account-tier', [
      ...ofSigner({ tier: 'plus' }),
      ['a tier that there is not', { ...signer, tier: 'gold' }, 'tier'],
      ['the tier that it has', { ...signer, tier: 'standard' }, '409 NOOP_ERROR'],
    ]);
    script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', '0.1', '3000');
    await holds('change-account-tier', [['open positions', plus, '409 RESOURCE_BUSY OPEN_POSITIONS']]);
    script.tradeElsewhere(ACCOUNT, 'ETH', 'sell', '0.1', '3000');
    script.setTier(ACCOUNT, 'premium', desk.gateway.clock.now() - 3_600_000);
    await holds('change-account-tier', [
      ['changed an hour ago', plus, '409 RESOURCE_BUSY TIER_CHANGED_RECENTLY'],
    ]);
    expect(script.traffic().counts['changeAccountTier'] ?? 0).to.equal(0);
  });

  it('uda', async () => {
    const { address: walletAddress } = desk.wallet;
    await holds('uda', [
      ['what is no wallet', { walletAddress: '0x1' }, 'walletAddress'],
      ['no wallet', {}, 'walletAddress'],
      ['another asset', { walletAddress, asset: 'ETH' }, 'asset'],
      ['another market', { walletAddress, market: 'spot' }, 'market'],
      ['a field that there is not', { walletAddress, chain: 1 }, 'chain'],
    ]);
    const before = await everything();
    const list = await desk.as(desk.program, 'GET', '/misc/exchange/uda/0x1');
    expect(refusal(list)).to.equal('400 VALIDATION_ERROR walletAddress');
    expect(await everything()).to.equal(before);
  });

  it('says in a sentence why there is no deposit address where the venue has no such routes', async () => {
    const { script } = desk.emulator;
    const { address } = desk.wallet;
    for (const on of ['deposit/networks', 'createIntentAddress']) {
      script.fault({ on, do: 'status', code: 404, times: null });
      const told = await desk.post('uda', { walletAddress: address });
      expect(refusal(told), told.text).to.equal('501 NOT_IMPLEMENTED_ERROR');
      expect(told.json.message).to.match(/gives no deposit address/);
      script.clearFaults();
    }
    script.fault({ on: 'deposit/latest', do: 'status', code: 404 });
    const list = await desk.as(desk.program, 'GET', `/misc/exchange/uda/${address}`);
    expect(refusal(list), list.text).to.equal('501 NOT_IMPLEMENTED_ERROR');
    script.clearFaults();
  });

  it('of those who may not ask, on each of the ten', async () => {
    const reader = await desk.apiKey({ scope: 'read' });
    const before = await everything();
    for (const path of [
      ...['create-api-key', 'change-pub-key', 'prepare-approve-integrator', 'submit-approve-integrator'],
      ...['create-auth-token', 'prepare-fast-withdraw', 'submit-fast-withdraw', 'change-account-tier', 'uda'],
    ]) {
      const at = `/misc/exchange/${path}`;
      expect((await desk.as({}, 'POST', at, {})).status, path).to.equal(401);
      expect((await desk.as(reader, 'POST', at, {})).status, path).to.equal(403);
    }
    const list = `/misc/exchange/uda/${desk.wallet.address}`;
    expect((await desk.as({}, 'GET', list)).status).to.equal(401);
    // Reading is what a key that reads is for.
    expect((await desk.as(reader, 'GET', list)).status).to.equal(200);
    expect(await everything()).to.equal(before);
  });
});
