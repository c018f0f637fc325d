import { expect } from 'chai';
import { AccountStreams } from '../../../../gateway/venues/paper/accounts/account-streams.ts';

describe('streams of paper accounts', () => {
  it('two silences at once: it speaks when the later one is over', () => {
    const streams = new AccountStreams();
    const heard: string[] = [];
    streams.listen('one', ({ kind }) => heard.push(kind));
    streams.silence('one');
    streams.silence('one');
    streams.speak('one');
    expect([streams.isSilent('one'), heard]).to.deep.equal([true, []]);
    streams.speak('one');
    expect([streams.isSilent('one'), heard]).to.deep.equal([false, ['reconnected']]);
    streams.speak('one');
    expect(heard).to.deep.equal(['reconnected']);
  });
});
