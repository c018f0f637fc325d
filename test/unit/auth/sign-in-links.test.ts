/** Sign-in links of the start: once, for a minute, as the first user. */
import { expect } from 'chai';
import { createSignInLinks } from '../../../gateway/auth/sign-in-links.ts';
import { createUsers } from '../../../gateway/auth/users.ts';
import type { User } from '../../../gateway/domain/model.ts';

const user = (id: string): User => ({
  id,
  email: `${id}@example.test`,
  walletAddress: null,
  passwordHash: 'x',
  displayName: null,
  createdAt: 1,
  updatedAt: 1,
});

describe('sign-in links', () => {
  let now: number;
  const clock = { now: () => now };
  const links = () => createSignInLinks(clock, createUsers('first', [user('ada'), user('bob')]));

  beforeEach(() => {
    now = 1_000;
  });

  it('sign in as the first user, once', () => {
    const open = links();
    const ticket = open.issue() ?? '';
    expect(ticket).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(open.redeem(ticket)?.id).to.equal('ada');
    expect(open.redeem(ticket)).to.equal(undefined);
  });

  it('are void after a minute', () => {
    const open = links();
    const [early, late] = [open.issue() ?? '', open.issue() ?? ''];
    now += 59_999;
    expect(open.redeem(early)?.id).to.equal('ada');
    now += 1;
    expect(open.redeem(late)).to.equal(undefined);
  });

  it('keep only the newest few open', () => {
    const open = links();
    const tickets = Array.from({ length: 5 }, () => open.issue() ?? '');
    expect(tickets.map((ticket) => open.redeem(ticket) !== undefined)).to.deep.equal([
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it('are none where nobody has registered', () => {
    expect(createSignInLinks(clock, createUsers('first', [])).issue()).to.equal(null);
  });
});
