import { expect } from 'chai';
import { likelierFirst, matching, pairOf } from '../../../renderer/app/command-match.ts';

const COMMANDS = [
  { name: 'Portfolio' },
  { name: 'Use the light theme' },
  { name: 'ETH', words: 'ETH-PERP trade' },
  { name: 'STETH', words: 'STETH-PERP trade' },
  { name: 'Trade' },
];
const found = (typed: string, most = 10) => matching(COMMANDS, typed, most).map(({ name }) => name);

describe('commands by what is typed', () => {
  it('are all there, as they come, while nothing is typed', () => {
    expect(found('  ')).to.deep.equal(COMMANDS.map(({ name }) => name));
    expect(found('', 2)).to.deep.equal(['Portfolio', 'Use the light theme']);
  });

  it('are a pair where two whole tickers are typed, with a slash or without', () => {
    const instruments = ['SOL', 'ETH', 'STETH'].map((symbol) => ({ id: `${symbol}-PERP`, symbol }));
    const pair = (typed: string) => pairOf(instruments, typed)?.map(({ symbol }) => symbol) ?? null;
    for (const typed of ['SOL/ETH', 'sol eth', ' sol / eth-perp'])
      expect(pair(typed), typed).to.deep.equal(['SOL', 'ETH']);
    for (const typed of ['sol', 'sol et', 'sol sol', 'sol eth steth', ''])
      expect(pair(typed), typed).to.equal(null);
  });

  it('come by the likeliest place of the words, whatever their order and case', () => {
    expect(found('eth')).to.deep.equal(['ETH', 'STETH']);
    expect(found('TRADE eth')).to.deep.equal(['ETH', 'STETH']);
    expect(found('theme light')).to.deep.equal(['Use the light theme']);
    expect(found('tra')).to.deep.equal(['Trade', 'ETH', 'STETH']);
    expect(found('xyz')).to.deep.equal([]);
  });

  it('stand below the groups that have it at the beginning of a word, where theirs has it within one only', () => {
    const groups = [
      { name: 'Screens', commands: [{ name: 'Screener' }] },
      { name: 'Do', commands: [{ name: 'Revoke all agents…' }, { name: 'API reference' }] },
      { name: 'Lists', commands: [{ name: 'Requests' }] },
    ];
    const order = (typed: string) => likelierFirst(groups, typed).map(({ name }) => name);
    expect(order('re')).to.deep.equal(['Do', 'Lists', 'Screens']);
    expect(order('')).to.deep.equal(['Screens', 'Do', 'Lists']);
  });
});
