/** Checks everything that trading at Lighter needs, for `tandem venue check`. */
import { dec, text } from '../../../domain/decimal.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type {
  VenueCheckStep,
  VenueCredentials,
  VenueExchange,
  VenueNetwork,
} from '../../../engine/ports/venue.ts';
import {
  accountStreamStep,
  bad,
  clockStep,
  fine,
  pricesStep,
  remedyOf,
  remedyOfRefusal,
  type Tell,
  waitUntil,
} from '../kit/check-steps.ts';
import type { LiveView } from '../kit/live-venue.ts';
import type { OpenAccount } from '../kit/open-accounts.ts';
import { createRedactor } from '../kit/redact.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import { readingOf } from './account-books.ts';
import { readAccount } from './account-reads.ts';
import { type CredentialDeps, checkAccess } from './credentials.ts';
import type { Listing } from './listing.ts';
import type { Session } from './session.ts';
import { CHAIN_ID, LighterKey, transactionHash } from './signing/signing.ts';
import * as wire from './wire.ts';

export interface CheckDeps extends CredentialDeps, LiveView<Session> {
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly listing: () => Listing;
  readonly network: VenueNetwork;
  readonly origin: string;
  readonly readFees: (one: OpenAccount<Session>) => Promise<void>;
}

export async function runCheck(
  deps: CheckDeps,
  credentials: VenueCredentials | null,
  tell: Tell,
  record: (exchange: VenueExchange) => void,
  further: () => Promise<void> = async () => {},
): Promise<void> {
  const redactor = createRedactor();
  const stop = deps.client.record((question, answer) =>
    record({ question: redactor.text(question), answer: withoutAddresses(redactor.text(answer)) }),
  );
  try {
    if (!(await connects(deps, tell))) return;
    tell(clockStep(deps.venueClock.offsetMs));
    await listed(deps, tell);
    tell(signing(deps.network));
    if (credentials !== null) await ofAccount(deps, credentials, tell);
    tell(await pricesStep(deps.clock, deps.onPrices, deps.streamUp));
    if (credentials !== null) tell(await accountStreamStep(deps.clock, deps, SILENT_REMEDY));
    await further();
  } finally {
    stop();
  }
}

/** Wallet addresses identify the account's owner. */
function withoutAddresses(text: string): string {
  return text.replace(/0x[0-9a-fA-F]{40}\b/g, '[address]');
}

async function connects({ client, clock, origin }: CheckDeps, tell: Tell): Promise<boolean> {
  const began = clock.uptime();
  const told = await client.get({ lane: 'history', path: '/' }, wire.status);
  const ms = Math.round(clock.uptime() - began);
  if (told.ok) tell(fine('connection', `${origin} answers in ${ms} ms`));
  else tell(bad('connection', `${origin}: ${told.error.message}`, remedyOf(told.error)));
  return told.ok;
}

async function listed(deps: CheckDeps, tell: Tell): Promise<void> {
  await waitUntil(deps.clock, () => deps.listing().assets.length > 0);
  const { instruments } = deps.listing();
  const traded = instruments.filter(({ tradeability }) => tradeability.status === 'tradable').length;
  if (traded > 0) tell(fine('instruments', `${traded} traded, ${instruments.length - traded} not now`));
  else
    tell(
      bad(
        'instruments',
        'The list of markets could not be read',
        'Check again; if it stays, the venue has changed its answers and Tandem needs an update',
      ),
    );
}

/** Orders that the venue's own program has hashed, with keys that everybody knows. */
const EXAMPLES = {
  mainnet: {
    privateKey: 'df2a44f14ad6e94d6e81ca9cb6600ce14aa55494c0ad46c9d2db5b0771f95573f648e68f9ec99833',
    publicKey: '06a9376e20bacf1696f58e73bda0040e2145bbd05ced561e5aa26eddde6b09c313e4f39463d85a90',
    order: {
      ...{ accountIndex: 12_345, apiKeyIndex: 7, nonce: 13, expiredAt: 1_795_220_122_407 },
      orderExpiry: 1_797_638_723_403,
    },
    hash: '56efe7d5571e185ee53856696ee5e3e336a9c0341e368c47fc1dea513b3f45e6f5dbde04f157fad7',
  },
  testnet: {
    privateKey: 'e6d242395a4e6a04e2efc80d3977ba14b09cd7f9c846142d96fccc2686540ac0a67aaa2466c4c708',
    publicKey: 'cb9436f5f7b6ace81285684f55824f4676ff9120faff4e74da20ac7217862f56e8c6698292116973',
    order: {
      ...{ accountIndex: 12_346, apiKeyIndex: 8, nonce: 14, expiredAt: 1_795_220_122_563 },
      orderExpiry: 1_797_638_723_563,
    },
    hash: '1b6aca0778728d97d0202606f990eb17e9c7733a334436fd16b6cbabd180f8e32416aaaad2fa43de',
  },
} as const;

/** Checks the signing code by a known example: the hash covers every step before it, the public key the curve. */
function signing(network: CheckDeps['network']): VenueCheckStep {
  const { privateKey, publicKey, order, hash } = EXAMPLES[network];
  const made = transactionHash(CHAIN_ID[network], {
    ...{ kind: 'createOrder', marketIndex: 0, clientOrderIndex: 123, baseAmount: 1_000, price: 400_000 },
    ...{ isAsk: false, type: 'limit', timeInForce: 'goodTillTime', reduceOnly: false, triggerPrice: 0 },
    ...order,
  });
  return made === hash && new LighterKey(privateKey).publicKey === publicKey
    ? fine('signing', "This build signs the venue's example as it should")
    : bad('signing', "This build signs the venue's example wrongly", 'Do not trade with it: install it anew');
}

const SILENT_REMEDY = "Look whether the key is still among the account's API keys at the venue";
const RENEWAL = 'Make a new API key at the venue and give it to Tandem: Accounts, or tandem venue connect';

async function ofAccount(deps: CheckDeps, credentials: VenueCredentials, tell: Tell): Promise<void> {
  const checked = await checkAccess(deps, credentials);
  if (!checked.ok) {
    tell(bad('rights', checked.error.message, remedyOfRefusal(checked.error, RENEWAL)));
    return;
  }
  tell(fine('rights', "The key may trade, and withdraw to the owner's own address only"));
  for (const warning of checked.value.warnings) tell(fine('notice', warning));
  await accountFigures(deps, Number(checked.value.exchangeIdentifier), tell);
}

async function accountFigures(deps: CheckDeps, accountIndex: number, tell: Tell): Promise<void> {
  const account = await readAccount(deps, accountIndex, 'history');
  if (!account.ok) {
    tell(bad('balances', account.error.message, remedyOf(account.error)));
  } else {
    const mode = account.value.account_trading_mode ?? 0;
    tell(fine('account_mode', mode === 0 ? 'Standard' : 'Unified'));
    const { balances, positions } = readingOf(deps.listing(), account.value);
    const equity = `${text(dec(balances.equity).toDecimalPlaces(2))} ${balances.asset}`;
    tell(fine('balances', `Equity ${equity}, ${positions.length} positions`));
  }
  await fees(deps, tell);
  const left = Math.floor(deps.client.budget.level('requests') ?? 0);
  tell(fine('rate_limits', `${left} requests are left of what can be asked at once`));
}

async function fees(deps: CheckDeps, tell: Tell): Promise<void> {
  const open = deps.open();
  if (open === null) return;
  await deps.readFees(open);
  const rates = open.session.fees;
  const percent = (rate: string) => `${text(dec(rate).mul(100))} %`;
  if (rates !== null) tell(fine('fees', `Taker ${percent(rates.taker)}, maker ${percent(rates.maker)}`));
  else tell(bad('fees', 'The venue does not tell the fees of the account', 'Wait a minute and check again'));
}
