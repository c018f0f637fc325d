/**
 * The ways to open a session: registration, e-mail and password, wallet. Also the change of the password, which ends
 * every other session in the same commit.
 */
import type { TradeAccount, User } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Clock, Ids } from '../engine/ports/system.ts';
import type { StoreError, UnitOfWork } from '../engine/ports/unit-of-work.ts';
import type { Accounts } from './accounts.ts';
import type { AuditTrail, Origin } from './audit.ts';
import type { AuthStore } from './auth-store.ts';
import { isGuessable } from './guessable-passwords.ts';
import { createKeyedLock } from './keyed-lock.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { Passwords } from './passwords.ts';
import type { Presence } from './presence.ts';
import type { RefusedSignIns } from './refused-sign-ins.ts';
import type { Device, OpenedSession, Sessions } from './sessions.ts';
import type { Newcomer, NewcomerError, SetupCode } from './setup-code.ts';
import { callerWithin, type SignInCaller } from './sign-in-caller.ts';
import type { SignInLinks } from './sign-in-links.ts';
import { type Identity, normaliseEmail, type Place, type Users } from './users.ts';
import type { WalletLogin } from './wallet-login.ts';

export interface SignedIn extends OpenedSession {
  readonly user: User;
}

export interface Registered extends SignedIn {
  /** The funded paper account of the first user; null for later ones. */
  readonly tradeAccount: TradeAccount | null;
}

/** Too many callers are waiting already, or this caller has gone. */
type Busy = { readonly kind: 'busy' };
type SaveError = { readonly kind: 'store'; readonly error: StoreError };
export type RegisterError =
  | { readonly kind: 'closed' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'guessable' }
  | NewcomerError
  | Busy
  | SaveError;
export type LoginError = { readonly kind: 'wrong' } | Busy | SaveError;
export type WalletLoginError =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'closed' }
  | NewcomerError
  | SaveError;
export type PasswordError =
  | { readonly kind: 'wrong' }
  /** The user signs in with a wallet and has no password. */
  | { readonly kind: 'no_password' }
  /** The new password is guessable. */
  | { readonly kind: 'guessable' }
  | Busy
  | SaveError;

export interface SignIn {
  /** Signs in with a ticket of `SignInLinks`. */
  withLink(ticket: string, device: Device): Promise<Result<SignedIn, LoginError>>;
  register(
    wanted: { readonly email: string; readonly password: string; readonly displayName: string | null },
    device: Device,
    newcomer?: Newcomer,
    caller?: SignInCaller,
  ): Promise<Result<Registered, RegisterError>>;
  withPassword(
    email: string,
    password: string,
    device: Device,
    caller?: SignInCaller,
  ): Promise<Result<SignedIn, LoginError>>;
  withWallet(
    proof: { readonly address: string; readonly nonce: string; readonly signature: string },
    device: Device,
    newcomer?: Newcomer,
  ): Promise<Result<SignedIn, WalletLoginError>>;
  /** Checks that a signed-in person knows the password of the account. `no_password`: it has none. */
  provePassword(
    userId: string,
    password: string,
    device: Device,
  ): Promise<Result<void, Exclude<PasswordError, { kind: 'guessable' }>>>;
  changePassword(
    userId: string,
    sessionId: string,
    current: string,
    next: string,
    device: Device,
  ): Promise<Result<void, PasswordError>>;
}

type Way = Extract<Origin['method'], 'password' | 'wallet' | 'link'>;

function originOf(method: Way, device: Device): Origin {
  return { method, client: device.userAgent, ip: device.ip };
}

function wayOf({ kind }: Identity): Way {
  return kind === 'email' ? 'password' : 'wallet';
}

export function createSignIn(options: {
  readonly store: AuthStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly wallets: WalletLogin;
  readonly links: SignInLinks;
  readonly setup: SetupCode;
  readonly audit: AuditTrail;
  readonly refused: RefusedSignIns;
  readonly presence: Presence;
}): SignIn {
  const {
    store,
    clock,
    ids,
    users,
    sessions,
    accounts,
    passwords,
    throttle,
    wallets,
    links,
    setup,
    audit,
    refused,
    presence,
  } = options;
  /**
   * One task per user at a time: a sign-in with the old password must not be checked while the password is being
   * changed.
   */
  const lock = createKeyedLock();

  async function open(
    user: User,
    method: Way,
    device: Device,
    together: UnitOfWork,
  ): Promise<Result<SignedIn, SaveError>> {
    const prepared = sessions.prepare(user.id, device);
    const opened = audit.entry(user.id, 'session.opened', prepared.session.id, originOf(method, device));
    const committed = await store.commit({
      ...together,
      ...prepared.unit,
      audit: [...(together.audit ?? []), opened],
    });
    if (!committed.ok) return fail({ kind: 'store', error: committed.error });
    sessions.adopt(prepared);
    if (method !== 'link') presence.seen(prepared.session.id);
    return ok({ user, session: prepared.session, refreshToken: prepared.refreshToken });
  }

  /** Creates the user, the first account and the session in one commit. */
  async function enrol(
    place: Place,
    identity: Identity,
    details: { readonly passwordHash: string | null; readonly displayName: string | null },
    device: Device,
  ): Promise<Result<Registered, SaveError>> {
    const now = clock.now();
    const user: User = {
      id: ids.next(),
      email: identity.kind === 'email' ? normaliseEmail(identity.email) : null,
      walletAddress: identity.kind === 'wallet' ? identity.address : null,
      ...details,
      createdAt: now,
      updatedAt: now,
    };
    const tradeAccount = place.isFirst ? await accounts.prepareFirst(user.id) : null;
    const opened = await open(user, wayOf(identity), device, {
      users: [user],
      audit: [audit.entry(user.id, 'user.registered', user.id, originOf(wayOf(identity), device))],
      accounts: tradeAccount === null ? [] : [tradeAccount],
    });
    if (!opened.ok) return opened;
    place.take(user);
    if (setup.code !== null) setup.end();
    if (tradeAccount !== null) accounts.adopt(tradeAccount);
    return ok({ ...opened.value, tradeAccount });
  }

  /** Checks the password of a signed-in user. */
  async function prove(userId: string, password: string, device: Device) {
    const before = users.byId(userId);
    if (before === undefined || before.email === null || before.passwordHash === null) {
      return fail({ kind: 'no_password' as const });
    }
    // Guesses of others for this e-mail do not hold up a signed-in user.
    const inLine = { peer: {}, isKnown: true, isGone: () => false };
    if (!(await throttle.hold(before.email, inLine))) return fail({ kind: 'busy' as const });
    const right = await passwords.verify(before.passwordHash, password, inLine);
    if (right === null) return fail({ kind: 'busy' as const });
    if (!right) {
      refused.note(userId, originOf('password', device));
      return fail({ kind: 'wrong' as const });
    }
    throttle.clear(before.email, inLine);
    return ok({ before: { ...before, email: before.email }, inLine });
  }

  return {
    async register({ email, password, displayName }, device, newcomer = {}, caller = callerWithin()) {
      const unwelcome = setup.refusal(newcomer);
      if (unwelcome !== null) return fail(unwelcome);
      const identity: Identity = { kind: 'email', email };
      const place = users.reserve(identity);
      if (!place.ok) return place;
      try {
        if (await isGuessable(password, [email, displayName])) return fail({ kind: 'guessable' });
        const passwordHash = await passwords.hash(password, { ...caller, isKnown: false });
        if (passwordHash === null) return fail({ kind: 'busy' });
        return await enrol(place.value, identity, { passwordHash, displayName }, device);
      } finally {
        place.value.release();
      }
    },

    async withPassword(email, password, device, caller = callerWithin()) {
      const key = normaliseEmail(email);
      const before = users.byEmail(email);
      const inLine = { ...caller, isKnown: before !== undefined && caller.isKnownTo(before.id) };
      if (!(await throttle.hold(key, inLine))) return fail({ kind: 'busy' });
      const user = users.byEmail(email);
      const right = await passwords.verify(user?.passwordHash ?? null, password, inLine);
      if (right === null) return fail({ kind: 'busy' });
      if (user === undefined) return fail({ kind: 'wrong' });
      if (!right) {
        refused.note(user.id, originOf('password', device));
        return fail({ kind: 'wrong' });
      }
      return lock.run(user.id, async (): Promise<Result<SignedIn, LoginError>> => {
        const current = users.byId(user.id);
        if (current?.passwordHash !== user.passwordHash) return fail({ kind: 'wrong' });
        throttle.clear(key, inLine);
        return open(current, 'password', device, {});
      });
    },

    async withLink(ticket, device) {
      const user = links.redeem(ticket);
      return user === undefined ? fail({ kind: 'wrong' }) : open(user, 'link', device, {});
    },

    async withWallet(proof, device, newcomer = {}) {
      // On a gateway without a user any wallet would become the first one. Checked before the proof uses up its nonce.
      const unwelcome = setup.refusal(newcomer);
      if (unwelcome !== null) return fail(unwelcome);
      const address = await wallets.prove(proof);
      if (address === null) return fail({ kind: 'wrong' });
      const user = users.byWallet(address);
      if (user !== undefined) return open(user, 'wallet', device, {});
      const identity: Identity = { kind: 'wallet', address };
      const place = users.reserve(identity);
      // `taken`: the same wallet is being enrolled by another request at this moment.
      if (!place.ok) return fail({ kind: place.error.kind === 'closed' ? 'closed' : 'wrong' });
      try {
        return await enrol(place.value, identity, { passwordHash: null, displayName: null }, device);
      } finally {
        place.value.release();
      }
    },

    async provePassword(userId, password, device) {
      const proven = await prove(userId, password, device);
      return proven.ok ? ok(undefined) : proven;
    },

    async changePassword(userId, sessionId, current, next, device) {
      const proven = await prove(userId, current, device);
      if (!proven.ok) return proven;
      const { before, inLine } = proven.value;
      if (await isGuessable(next, [before.email, before.displayName])) return fail({ kind: 'guessable' });
      const passwordHash = await passwords.hash(next, inLine);
      if (passwordHash === null) return fail({ kind: 'busy' });
      return lock.run(userId, async (): Promise<Result<void, PasswordError>> => {
        const user = users.byId(userId);
        if (user === undefined || user.passwordHash !== before.passwordHash) return fail({ kind: 'wrong' });
        const changed: User = { ...user, passwordHash, updatedAt: clock.now() };
        const ended = await sessions.endOthers(userId, sessionId, {
          users: [changed],
          audit: [audit.entry(userId, 'password.changed', userId, originOf('password', device))],
        });
        if (!ended.ok) return fail({ kind: 'store', error: ended.error });
        users.replace(changed);
        return ok(undefined);
      });
    },
  };
}
