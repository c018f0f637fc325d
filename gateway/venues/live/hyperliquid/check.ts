/** Checks everything that trading at Hyperliquid needs, for `tandem venue check`. */
import { dec, text } from '../../../domain/decimal.ts';
import type { VenueCheckStep, VenueExchange } from '../../../engine/ports/venue.ts';
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
import { createRedactor } from '../kit/redact.ts';
import { type Keys, readKeys } from './access.ts';
import { isTradedMode } from './account-mode.ts';
import { type ReadDeps, readState } from './account-reads.ts';
import { type CredentialDeps, checkAccess } from './credentials.ts';
import type { Session } from './session.ts';
import { signL1Action } from './signing/l1-action.ts';
import * as wire from './wire.ts';

const SILENT_REMEDY =
  'The venue follows ten accounts for each address at most: another program may use them up';

export interface CheckDeps extends CredentialDeps, ReadDeps, LiveView<Session> {
  readonly origin: string;
}

export async function runCheck(
  deps: CheckDeps,
  credentials: Parameters<typeof readKeys>[0] | null,
  tell: Tell,
  record: (exchange: VenueExchange) => void,
  further: () => Promise<void> = async () => {},
): Promise<void> {
  const keys = credentials === null ? null : readKeys(credentials);
  const redactor = createRedactor();
  if (keys !== null && 'account' in keys) {
    keys.privateKey.fill(0);
    for (const address of [keys.account, keys.agent]) redactor.learn(address);
  }
  const stop = deps.client.record((question, answer) =>
    record({ question: redactor.text(question), answer: redactor.text(answer) }),
  );
  try {
    if (!(await connects(deps, tell))) return;
    tell(clockStep(deps.venueClock.offsetMs));
    await listed(deps, tell);
    tell(signing(deps.network));
    if (credentials !== null && keys !== null) await ofAccount(deps, credentials, keys, tell);
    tell(await pricesStep(deps.clock, deps.onPrices, deps.streamUp));
    if (credentials !== null) tell(await accountStreamStep(deps.clock, deps, SILENT_REMEDY));
    await further();
  } finally {
    stop();
  }
}

async function connects({ client, clock, origin }: CheckDeps, tell: Tell): Promise<boolean> {
  const began = clock.uptime();
  const told = await client.info('history', { type: 'exchangeStatus' }, wire.exchangeStatus);
  const ms = Math.round(clock.uptime() - began);
  if (told.ok) tell(fine('connection', `${origin} answers in ${ms} ms`));
  else tell(bad('connection', `${origin}: ${told.error.message}`, remedyOf(told.error)));
  return told.ok;
}

async function listed(deps: CheckDeps, tell: Tell): Promise<void> {
  await waitUntil(deps.clock, () => deps.listing().assets.length > 0);
  const { instruments } = deps.listing();
  const traded = instruments.filter(({ tradeability }) => tradeability.status === 'tradable').length;
  if (traded > 0) tell(fine('instruments', `${traded} traded, ${instruments.length - traded} not any more`));
  else
    tell(
      bad(
        'instruments',
        'The list of instruments could not be read',
        'Check again; if it stays, the venue has changed its answers and Tandem needs an update',
      ),
    );
}

/** A published example: a key that everybody knows, and the signature that every client makes with it. */
const EXAMPLE: Omit<Parameters<typeof signL1Action>[0], 'network'> = {
  privateKey: `0x${'0123456789'.repeat(6)}0123`,
  action: { type: 'dummy', num: 100_000_000_000 },
  nonce: 0,
  vaultAddress: null,
  expiresAfter: null,
};
const EXAMPLE_R = {
  mainnet: '0x053749d5b30552aeb2fca34b530185976545bb22d0b3ce6f62e31be961a59298',
  testnet: '0x542af61ef1f429707e3c76c5293c80d01f74ef853e34b76efffcb57e574f9510',
} as const;

function signing(network: CheckDeps['network']): VenueCheckStep {
  const isRight = signL1Action({ ...EXAMPLE, network }).r === EXAMPLE_R[network];
  return isRight
    ? fine('signing', 'This build signs the published example as it should')
    : bad(
        'signing',
        'This build signs the published example wrongly',
        'Do not trade with it: install it anew',
      );
}

const RENEWAL = 'Approve a new agent key with the wallet, or paste one: Accounts, or tandem venue connect';

async function ofAccount(
  deps: CheckDeps,
  credentials: Parameters<typeof readKeys>[0],
  keys: ReturnType<typeof readKeys>,
  tell: Tell,
): Promise<void> {
  const checked = await checkAccess(deps, credentials);
  if (!checked.ok) {
    tell(bad('rights', checked.error.message, remedyOfRefusal(checked.error, RENEWAL)));
    return;
  }
  const { expiresAt, warnings } = checked.value;
  const end = expiresAt === null ? '' : `, until ${new Date(expiresAt).toISOString().slice(0, 10)}`;
  tell(fine('rights', `The key may trade and cannot withdraw${end}`));
  for (const warning of warnings) tell(fine('notice', warning));
  if ('path' in keys) return;
  await accountFigures(deps, keys, tell);
}

async function accountFigures(deps: CheckDeps, keys: Pick<Keys, 'account'>, tell: Tell): Promise<void> {
  const { client } = deps;
  const user = keys.account;
  const mode = await client.info('history', { type: 'userAbstraction', user }, wire.abstraction);
  if (!mode.ok) tell(bad('account_mode', mode.error.message, remedyOf(mode.error)));
  else if (isTradedMode(mode.value)) tell(fine('account_mode', mode.value));
  else tell(bad('account_mode', mode.value, 'Use a standard account or a subaccount'));
  const state = await readState(deps, { user, mode: mode.ok ? mode.value : 'default' }, 'history');
  if (!state.ok) tell(bad('balances', state.error.message, remedyOf(state.error)));
  else {
    const { balances, positions } = state.value;
    const equity = `${text(dec(balances.equity).toDecimalPlaces(2))} ${balances.asset}`;
    tell(fine('balances', `Equity ${equity}, ${positions.length} positions`));
  }
  const rates = await client.info('history', { type: 'userFees', user }, wire.fees);
  if (!rates.ok) tell(bad('fees', rates.error.message, remedyOf(rates.error)));
  else {
    const percent = (rate: string) => `${text(dec(rate).mul(100))} %`;
    const { userCrossRate, userAddRate } = rates.value;
    const session = deps.open()?.session ?? null;
    if (session !== null) session.fees = { taker: userCrossRate, maker: userAddRate };
    tell(fine('fees', `Taker ${percent(userCrossRate)}, maker ${percent(userAddRate)}`));
  }
  const limit = await client.info('history', { type: 'userRateLimit', user }, wire.requestLimit);
  if (!limit.ok) tell(bad('rate_limits', limit.error.message, remedyOf(limit.error)));
  else {
    const { nRequestsUsed: used, nRequestsCap: cap } = limit.value;
    const words = `${used} of ${cap} requests of the account are used`;
    if (used < cap) tell(fine('rate_limits', words));
    else
      tell(
        bad(
          'rate_limits',
          `${words}: the venue takes one in ten seconds now`,
          'Trading raises it: one request for each USDC traded',
        ),
      );
  }
}
