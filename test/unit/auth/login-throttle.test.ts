import { expect } from 'chai';
import { createLoginThrottle } from '../../../gateway/auth/login-throttle.ts';
import type { InLine } from '../../../gateway/auth/waiting-line.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const caller = (over: Partial<InLine> = {}): InLine => ({
  peer: {},
  isKnown: false,
  isGone: () => false,
  ...over,
});

describe('login throttle', () => {
  const guessedTenTimes = async (maxEmails?: number) => {
    const clock = createFakeClock();
    const throttle = createLoginThrottle(clock, maxEmails);
    const guesser = caller();
    for (let attempt = 0; attempt < 10; attempt += 1) await throttle.hold('target@example.com', guesser);
    return { clock, throttle, guesser };
  };
  /** Names of those whose turn has come, in its order. */
  const turns = () => {
    const called: string[] = [];
    const note = (name: string, turn: Promise<boolean>) =>
      void turn.then((isItsTurn) => called.push(isItsTurn ? name : `${name} refused`));
    return { called, note };
  };

  it('remembers a bounded number of e-mails and drops the one longest untouched', async () => {
    const { clock, throttle, guesser } = await guessedTenTimes(3);
    await throttle.hold('a@example.com', guesser);
    await throttle.hold('b@example.com', guesser);
    const held = throttle.hold('target@example.com', guesser);
    expect(clock.pending()).to.equal(1);
    await throttle.hold('c@example.com', guesser);
    await throttle.hold('d@example.com', guesser);
    expect(throttle.size()).to.equal(3);
    const still = throttle.hold('target@example.com', guesser);
    await clock.advance(10_000);
    expect(await Promise.all([held, still])).to.deep.equal([true, true]);
  });

  it('forgets on success', async () => {
    const { clock, throttle, guesser } = await guessedTenTimes();
    throttle.clear('target@example.com', guesser);
    await throttle.hold('target@example.com', guesser);
    expect(clock.pending()).to.equal(0);
  });

  it('lets one guess through in five seconds, however many connections guess', async () => {
    const { clock, throttle } = await guessedTenTimes();
    const { called, note } = turns();
    for (let guess = 0; guess < 300; guess += 1) note('guess', throttle.hold('target@example.com', caller()));
    await clock.advance(60_000);
    expect(called).to.have.length(12);
  });

  it('pauses longer each time', async () => {
    const { clock, throttle, guesser } = await guessedTenTimes();
    for (const pauseMs of [500, 1_000, 2_000, 4_000, 5_000, 5_000]) {
      const { called, note } = turns();
      note('guess', throttle.hold('target@example.com', guesser));
      await clock.advance(pauseMs - 1);
      expect(called).to.deep.equal([]);
      await clock.advance(1);
      expect(called).to.deep.equal(['guess']);
    }
  });

  it('a newcomer goes before connections that have tried already, a known one does not wait at all', async () => {
    const { clock, throttle, guesser } = await guessedTenTimes();
    const { called, note } = turns();
    for (let guess = 0; guess < 100; guess += 1) note('guess', throttle.hold('target@example.com', guesser));
    await clock.advance(100);
    note('newcomer', throttle.hold('target@example.com', caller()));
    note('known', throttle.hold('target@example.com', caller({ isKnown: true })));
    await clock.advance(1);
    expect(called).to.deep.equal(['known']);
    await clock.advance(5_000);
    expect(called.slice(0, 2)).to.deep.equal(['known', 'newcomer']);
  });

  it('a connection whose attempt has waited goes behind one that has not tried', async () => {
    const { clock, throttle } = await guessedTenTimes();
    const persistent = caller();
    const { called, note } = turns();
    note('first', throttle.hold('target@example.com', persistent));
    await clock.advance(10_000);
    note('newcomer', throttle.hold('target@example.com', caller()));
    note('again', throttle.hold('target@example.com', persistent));
    await clock.advance(60_000);
    expect(called).to.deep.equal(['first', 'newcomer', 'again']);
  });

  it('refuses the most persistent when too many wait, and forgets who has gone', async () => {
    const { clock, throttle, guesser } = await guessedTenTimes();
    const { called, note } = turns();
    let gone = false;
    note('gone', throttle.hold('target@example.com', caller({ isGone: () => gone })));
    for (let guess = 0; guess < 512; guess += 1) note('guess', throttle.hold('target@example.com', guesser));
    await clock.advance(1);
    expect(called).to.deep.equal(['guess refused']);
    gone = true;
    await clock.advance(5_000);
    expect(called).to.deep.equal(['guess refused', 'gone refused', 'guess']);
  });
});
