import { expect } from 'chai';
import {
  FrameBuffer,
  frameTitle,
  prettyFrame,
  readChannels,
  shownFrame,
} from '../../../renderer/screens/developers/stream-frames.ts';

describe('frames of the stream', () => {
  const TITLES: readonly (readonly [string, string])[] = [
    ['{"op":"ack","id":"a","subscriptions":[]}', 'ack'],
    ['{"op":"error","code":"UNKNOWN_CHANNEL","message":"x"}', 'error UNKNOWN_CHANNEL'],
    ['{"channel":"prices:paper","event":"update","data":[]}', 'prices:paper update'],
    ['[1]', 'message'],
    ['nope', 'not JSON'],
  ];
  for (const [text, title] of TITLES)
    it(`are called ${title}`, () => {
      expect(frameTitle(text)).to.equal(title);
    });

  it('are shown newest first, the last 500 of them, a few times a second', async () => {
    const buffer = new FrameBuffer();
    const told = new Promise<void>((resolve) => buffer.subscribe(resolve));
    for (let number = 1; number <= 700; number += 1) buffer.add('received', String(number));
    expect(buffer.list()).to.deep.equal([]);
    await told;
    expect(buffer.list()).to.have.length(500);
    expect(buffer.list()[0]?.text).to.equal('700');
    expect(buffer.list().at(-1)?.text).to.equal('201');
    buffer.clear();
    expect(buffer.list()).to.deep.equal([]);
  });

  it('stay to be read while they are held', async () => {
    const buffer = new FrameBuffer();
    buffer.add('received', '1');
    await new Promise<void>((resolve) => buffer.subscribe(resolve));
    buffer.hold(true);
    buffer.add('received', '2');
    const told = new Promise<void>((resolve) => buffer.subscribe(resolve));
    expect(buffer.list().map(({ text }) => text)).to.deep.equal(['1']);
    buffer.hold(false);
    await told;
    expect(buffer.list().map(({ text }) => text)).to.deep.equal(['2', '1']);
  });

  it('never show what a connection proves itself with', () => {
    expect(shownFrame('{"op":"auth","ticket":"hush"}')).to.not.contain('hush');
    expect(shownFrame('{"op":"ping"}')).to.equal('{"op":"ping"}');
  });

  it('are indented to be read, unless they are no JSON', () => {
    expect(prettyFrame('{"a":1}')).to.equal('{\n  "a": 1\n}');
    expect(prettyFrame('a{')).to.equal('a{');
  });

  it('come from channels that are typed with commas and blanks', () => {
    expect(readChannels(' prices:paper, status  status\nuser:0b51b8a4-6a7e ')).to.deep.equal([
      'prices:paper',
      'status',
      'user:0b51b8a4-6a7e',
    ]);
    expect(readChannels('')).to.deep.equal([]);
    expect(readChannels('prices:paper <b>')).to.equal(null);
  });
});
