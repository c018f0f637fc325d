/** Checks that a key may trade for an account and cannot do more, and lets a wallet approve such a key. */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type {
  CredentialRefusal,
  CredentialReport,
  VenueCredentials,
  VenueError,
  WalletApproval,
  WalletRequest,
} from '../../../engine/ports/venue.ts';
import { check, read } from '../kit/wire.ts';
import { wordsOf } from '../kit/words.ts';
import { type Keys, readKeys } from './access.ts';
import { collateralOf, isTradedMode, type SeenMode } from './account-mode.ts';
import type { Client } from './client.ts';
import {
  type AgentApproval,
  agentName,
  approvalAction,
  approvalDigest,
  approvalTypedData,
} from './signing/agent-approval.ts';
import { addressOf, type Hex, recoverSigner, toHex } from './signing/keys.ts';
import type { Network } from './signing/l1-action.ts';
import * as wire from './wire.ts';

const DAY_MS = 86_400_000;
/** Longest that the venue grants. */
const AGENT_DAYS = 180;
const AGENT_NAME = 'tandem';
/** Time within which a prepared approval can be completed: its nonce is its time. */
const APPROVAL_MS = 15 * 60_000;
/** Longest time that the venue may take to list a new agent. */
const LISTED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 500;

export interface CredentialDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly network: Network;
  /** Keeps the findings, so that opening the account does not ask again. */
  readonly keep: (keys: Pick<Keys, 'account' | 'agent'>, told: ToldFacts) => Promise<AccountFacts>;
  /** True: the account is open and has changed to this mode since. It keeps its key, to close its positions. */
  readonly isFollowed: (account: string, mode: string) => boolean;
}

/** The venue's answers about an account. */
export interface ToldFacts {
  readonly master: string;
  readonly isSub: boolean;
  /** The venue's word. */
  readonly mode: string;
}

/** Facts of an account at the venue that trading needs. */
export interface AccountFacts extends Omit<ToldFacts, 'mode'> {
  readonly mode: SeenMode;
}

function refused(path: string, message: string): Result<never, CredentialRefusal> {
  return fail({ kind: 'refused', path, message });
}

function silent(error: VenueError): Result<never, CredentialRefusal> {
  if (error.kind === 'throttled') return fail(error);
  return fail({ kind: 'unknown', message: error.message });
}

/** @param isApproved the venue has just listed the key as an agent of the account, so that is not asked again */
export async function accountFacts(
  { client, isFollowed }: Pick<CredentialDeps, 'client' | 'isFollowed'>,
  keys: Pick<Keys, 'account' | 'agent'>,
  isApproved = false,
): Promise<Result<ToldFacts, CredentialRefusal>> {
  if (keys.account === keys.agent) {
    return refused(
      'agentPrivateKey',
      'This is the key of the account itself: it can withdraw everything. Make an agent key (API wallet) and give that one',
    );
  }
  const roleOf = (user: string) => client.info('history', { type: 'userRole', user }, wire.role);
  const [agent, mode] = await Promise.all([
    isApproved ? ownAgent(keys) : roleOf(keys.agent),
    client.info('history', { type: 'userAbstraction', user: keys.account }, wire.abstraction),
  ]);
  if (!agent.ok) return silent(agent.error);
  // Only a master approves agents, so that its role needs no question: one weighs 60 of the 1,200 a minute.
  const isMaster = !isApproved && agent.value.role === 'agent' && agent.value.data?.user === keys.account;
  const account = isMaster ? ok(MASTER) : await roleOf(keys.account);
  if (!account.ok) return silent(account.error);
  if (!mode.ok) return silent(mode.error);
  switch (account.value.role) {
    case 'user':
    case 'subAccount':
    case 'vault':
      break;
    case 'agent':
      return refused(
        'accountAddress',
        `This is the address of an agent. Its account is ${account.value.data?.user ?? 'another address'}`,
      );
    default:
      return refused('accountAddress', 'The venue has no account of this address on this network');
  }
  if (['user', 'subAccount', 'vault'].includes(agent.value.role)) {
    return refused(
      'agentPrivateKey',
      'This is the key of an account, not of an agent: it can withdraw. Make an agent key (API wallet) and give that one',
    );
  }
  const isSub = account.value.role !== 'user';
  const master = agent.value.data?.user ?? null;
  const isOwn = isSub
    ? account.value.data?.master === undefined || account.value.data.master === master
    : master === keys.account;
  if (agent.value.role !== 'agent' || master === null || !isOwn) {
    return refused(
      'agentPrivateKey',
      'The venue does not know this key as an agent of the account: it was not approved, it has ended, or it belongs to another account',
    );
  }
  if (!isTradedMode(mode.value) && !isFollowed(keys.account, mode.value)) {
    return refused(
      'accountAddress',
      `The account is in the mode ${mode.value}, whose margin Tandem does not understand yet. Use a standard account or a subaccount`,
    );
  }
  return ok({ master, isSub, mode: mode.value });
}

const MASTER: z.infer<typeof wire.role> = { role: 'user' };

function ownAgent({ account }: Pick<Keys, 'account'>): Result<z.infer<typeof wire.role>, VenueError> {
  return ok({ role: 'agent', data: { user: account, master: null } });
}

export async function checkAccess(
  deps: CredentialDeps,
  credentials: VenueCredentials,
  isApproved = false,
): Promise<Result<CredentialReport, CredentialRefusal>> {
  const keys = readKeys(credentials);
  if ('path' in keys) return refused(keys.path, keys.message);
  keys.privateKey.fill(0);
  const facts = await accountFacts(deps, keys, isApproved);
  if (!facts.ok) return facts;
  await deps.keep(keys, facts.value);
  const { client } = deps;
  const [agents, state, open] = await Promise.all([
    client.info('history', { type: 'extraAgents', user: facts.value.master }, wire.agents),
    client.info('history', { type: 'clearinghouseState', user: keys.account }, wire.clearinghouseState),
    client.info('history', { type: 'openOrders', user: keys.account }, wire.openOrders),
  ]);
  if (!agents.ok) return silent(agents.error);
  if (!state.ok) return silent(state.error);
  if (!open.ok) return silent(open.error);
  const own = agents.value.find(({ address }) => address === keys.agent);
  const others = agents.value.length - (own === undefined ? 0 : 1);
  const held = state.value.assetPositions.length;
  const value = (state.value.marginSummary ?? state.value.crossMarginSummary).accountValue;
  return ok({
    exchangeIdentifier: keys.account,
    expiresAt: own?.validUntil ?? null,
    warnings: [
      ...(held > 0
        ? [
            `The account holds ${held} positions already. They stay outside of Tandem's baskets until you take them over`,
          ]
        : []),
      ...(open.value.length > 0
        ? [`The account has ${open.value.length} open orders of other programs. Tandem leaves them alone`]
        : []),
      ...(others > 0
        ? [`The account has ${others} other agents: another program may trade it at the same time`]
        : []),
      ...(value === '0' && collateralOf(facts.value.mode) === 'perps'
        ? ['The account has no balance for perpetuals']
        : []),
    ],
  });
}

/** Makes an agent key for the wallet to approve. */
export function prepareApproval({ clock, network }: CredentialDeps, request: WalletRequest): WalletApproval {
  const privateKey = randomBytes(32);
  const now = clock.now();
  const validUntil = now + AGENT_DAYS * DAY_MS;
  const approval: AgentApproval = {
    network,
    agentAddress: addressOf(privateKey),
    agentName: agentName(AGENT_NAME, validUntil, now),
    nonce: now,
    chainId: request.chainId,
  };
  return {
    credentials: { accountAddress: request.address.toLowerCase(), agentPrivateKey: toHex(privateKey) },
    toSign: { typedData: approvalTypedData(approval) },
    terms: [
      { name: 'Exchange', value: network === 'mainnet' ? 'Hyperliquid' : 'Hyperliquid testnet' },
      { name: 'Account', value: request.address },
      { name: 'Agent that may trade', value: approval.agentAddress },
      { name: 'Name of the agent', value: approval.agentName },
      { name: 'May withdraw or transfer', value: 'no' },
      { name: 'Ends', value: new Date(validUntil).toISOString() },
    ],
    expiresAt: now + APPROVAL_MS,
  };
}

export async function completeApproval(
  deps: CredentialDeps,
  request: WalletRequest,
  prepared: WalletApproval,
  signature: string,
): Promise<Result<CredentialReport, CredentialRefusal>> {
  const approval = readApproval(deps.network, request, prepared);
  if (approval === null) return refused('signature', 'The approval was not made here');
  const parts = /^0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})([0-9a-fA-F]{2})$/.exec(signature);
  if (parts === null) return refused('signature', 'A signature is 0x and 130 hex digits');
  const signer = recoverSigner(approvalDigest(approval), signature as Hex);
  if (signer !== request.address.toLowerCase())
    return refused('signature', 'The signature is of another account than the one that is to be connected');
  const tail = Number.parseInt(parts[3] ?? '', 16);
  const action = approvalAction(approval);
  const body = JSON.stringify({
    action,
    nonce: approval.nonce,
    signature: { r: `0x${parts[1]}`, s: `0x${parts[2]}`, v: tail < 27 ? tail + 27 : tail },
  });
  const answer = await deps.client.exchange(
    'open',
    { legs: 1, user: null },
    deps.clock.now() + 10_000,
    async () => body,
  );
  if (answer.kind !== 'answer') return fail({ kind: 'unknown', message: answer.message });
  const told = read(wire.exchangeAnswer, answer.body);
  if (!told.ok) return fail({ kind: 'unknown', message: told.error.message });
  // A repeated approval is refused for its nonce, although the first one holds: whether the agent is there decides.
  const words = told.value.status === 'err' ? told.value.response : null;
  if (words !== null && !/nonce|already/i.test(words))
    return refused('signature', `The venue refuses: ${wordsOf(words)}`);
  const isListed = await listed(deps, request.address, approval.agentAddress);
  if (isListed) return checkAccess(deps, prepared.credentials, true);
  if (words !== null) return refused('signature', `The venue refuses: ${wordsOf(words)}`);
  return fail({ kind: 'unknown', message: 'the venue does not list the agent yet' });
}

async function listed({ client, clock }: CredentialDeps, user: string, agent: string): Promise<boolean> {
  const until = clock.uptime() + LISTED_WITHIN_MS;
  for (;;) {
    const agents = await client.info('history', { type: 'extraAgents', user }, wire.agents);
    if (agents.ok && agents.value.some(({ address }) => address === agent)) return true;
    if (clock.uptime() >= until) return false;
    await clock.sleep(LOOK_EVERY_MS);
  }
}

function readApproval(
  network: Network,
  { chainId }: WalletRequest,
  prepared: WalletApproval,
): AgentApproval | null {
  const keys = readKeys(prepared.credentials);
  if ('path' in keys) return null;
  keys.privateKey.fill(0);
  if (!('typedData' in prepared.toSign)) return null;
  const told = check(wire.approvalMessage, prepared.toSign.typedData);
  if (!told.ok) return null;
  const { agentName: name, nonce, agentAddress } = told.value.message;
  if (agentAddress.toLowerCase() !== keys.agent) return null;
  return { network, agentAddress: keys.agent as Hex, agentName: name, nonce, chainId };
}
