import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe';
import { nonceRoute } from '../../../gateway/contract/auth.ts';
import { authRoutes } from '../../../gateway/http/routes/auth.ts';
import { authForEachTest, DEVICE, HOST, unwrap } from './auth-fixture.ts';
import { callRoute } from './call-route.ts';

describe('wallet sign-in', () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const wrong = { ok: false, error: { kind: 'wrong' } };
  const fixture = authForEachTest();

  const challenge = (host = HOST) => fixture.auth.wallets.challenge(wallet.address, host);
  type Challenge = Awaited<ReturnType<typeof challenge>>;
  /** Signs a challenge, or another text in its place. */
  const answer = async ({ nonce, message }: Challenge, { by = wallet, text = message } = {}) =>
    signIn(nonce, await by.signMessage({ message: text }));
  const signIn = (nonce: string, signature: string, address: string = wallet.address) =>
    fixture.auth.signIn.withWallet({ address, nonce, signature }, DEVICE);

  it('the text is EIP-4361 for the host, address, nonce and time', async () => {
    const { nonce, message, expiresAt } = await challenge();
    const parsed = parseSiweMessage(message);
    expect(parsed).to.deep.include({
      domain: HOST,
      address: wallet.address,
      uri: `http://${HOST}`,
      version: '1',
      chainId: 1,
      nonce,
      statement: 'Sign in to Tandem.',
      issuedAt: new Date(fixture.clock.now()),
      expirationTime: new Date(expiresAt),
    });
    expect(expiresAt - fixture.clock.now()).to.equal(5 * 60_000);
    const valid = validateSiweMessage({
      message: parsed,
      domain: HOST,
      nonce,
      address: wallet.address,
      time: new Date(fixture.clock.now()),
    });
    expect(valid).to.equal(true);
  });

  it('names the host that was asked when it is one of ours, else the usual one', async () => {
    const domainFor = async (host: string) => {
      const body = { address: wallet.address };
      const answer = await callRoute(
        authRoutes(fixture.auth, () => 'http://tandem.localhost:7391'),
        nonceRoute,
        { body, headers: { host } },
      );
      return parseSiweMessage(answer.body.message).domain;
    };
    expect(await domainFor('127.0.0.1:7391')).to.equal('127.0.0.1:7391');
    expect(await domainFor('evil.example')).to.equal(HOST);
  });

  it('the first wallet becomes the first user, with an account; the next sign-in finds it again', async () => {
    const made = unwrap(await answer(await challenge()));
    expect(made.user).to.include({ walletAddress: wallet.address, email: null, passwordHash: null });
    expect(fixture.auth.accounts.all()).to.have.length(1);
    const again = unwrap(await answer(await challenge()));
    expect(again.user.id).to.equal(made.user.id);
    expect(fixture.auth.accounts.all()).to.have.length(1);
  });

  it('a wallet user has no password to change', async () => {
    const { user, session } = unwrap(await answer(await challenge()));
    const { changePassword } = fixture.auth.signIn;
    const changed = await changePassword(user.id, session.id, 'anything', 'a completely new one', DEVICE);
    expect(changed).to.deep.equal({ ok: false, error: { kind: 'no_password' } });
  });

  it('an unknown wallet is refused once registration is over', async () => {
    await fixture.register();
    expect(await answer(await challenge())).to.deep.equal({ ok: false, error: { kind: 'closed' } });
  });

  it('the address may be written in any case', async () => {
    const { nonce, message } = await fixture.auth.wallets.challenge(wallet.address.toLowerCase(), HOST);
    const signature = await wallet.signMessage({ message });
    const made = unwrap(await signIn(nonce, signature, wallet.address.toLowerCase()));
    expect(made.user.walletAddress).to.equal(wallet.address);
  });

  it('a nonce is spent by a wrong signature too', async () => {
    const given = await challenge();
    expect(await answer(given, { text: 'something else' })).to.deep.equal(wrong);
    expect(await answer(given)).to.deep.equal(wrong);
  });

  it('of parallel uses of one nonce exactly one wins', async () => {
    const { nonce, message } = await challenge();
    const signature = await wallet.signMessage({ message });
    const results = await Promise.all([0, 1, 2].map(() => signIn(nonce, signature)));
    expect(results.filter((result) => result.ok)).to.have.length(1);
  });

  it('a signature over the text of another host is refused', async () => {
    const given = await challenge();
    const text = given.message.replaceAll(HOST, 'evil.example');
    expect(await answer(given, { text })).to.deep.equal(wrong);
  });

  it('a nonce expires after 5 minutes', async () => {
    const early = await challenge();
    await fixture.clock.advance(5 * 60_000 - 1);
    const late = await challenge();
    unwrap(await answer(early));
    await fixture.clock.advance(5 * 60_000);
    expect(await answer(late)).to.deep.equal(wrong);
  });

  it("another wallet's signature or address is refused", async () => {
    const other = privateKeyToAccount(generatePrivateKey());
    expect(await answer(await challenge(), { by: other })).to.deep.equal(wrong);
    const second = await challenge();
    const signature = await other.signMessage({ message: second.message });
    expect(await signIn(second.nonce, signature, other.address)).to.deep.equal(wrong);
  });

  it('what is no signature is refused', async () => {
    for (const signature of ['0x', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, 'nonsense']) {
      const { nonce } = await challenge();
      expect(await signIn(nonce, signature)).to.deep.equal(wrong);
    }
    expect(await signIn('unknown', `0x${'11'.repeat(65)}`)).to.deep.equal(wrong);
  });

  it('several nonces live at once, ten for one address; the oldest gives way', async () => {
    const oldest = await challenge();
    const second = await challenge();
    for (let others = 0; others < 9; others += 1) await challenge();
    expect(await answer(oldest)).to.deep.equal(wrong);
    expect(await answer(second)).to.have.property('ok', true);
  });

  it('a flood of other addresses is bounded', async () => {
    const mine = await challenge();
    for (let index = 0; index < 999; index += 1) {
      await fixture.auth.wallets.challenge(`0x${index.toString(16).padStart(40, '0')}`, HOST);
    }
    const beforeLimit = await fixture.auth.wallets.challenge(`0x${'f'.repeat(40)}`, HOST);
    expect(beforeLimit.nonce).to.have.length(32);
    expect(await answer(mine)).to.deep.equal(wrong);
  });
});
