import { expect } from 'chai';
import { KeyedQueue } from '../../../gateway/domain/keyed-queue.ts';

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = () => resolve();
  });
  return { opened, open: () => open() };
}

const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

describe('KeyedQueue', () => {
  it('runs one key’s work in the order asked, one at a time', async () => {
    const queue = new KeyedQueue();
    const log: string[] = [];
    const gates = [gate(), gate(), gate()];
    const runs = gates.map(({ opened }, index) =>
      queue.run('basket', async () => {
        log.push(`begin ${index}`);
        await opened;
        log.push(`end ${index}`);
        return index;
      }),
    );
    for (const one of [...gates].reverse()) {
      one.open();
      await turns();
    }
    expect(await Promise.all(runs)).to.deep.equal([0, 1, 2]);
    expect(log).to.deep.equal(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  it('does not let one key wait for another', async () => {
    const queue = new KeyedQueue();
    const slow = gate();
    const first = queue.run('a', () => slow.opened);
    expect(await queue.run('b', async () => 'done')).to.equal('done');
    slow.open();
    await first;
  });

  it('a failure belongs to its caller: the next work of the key runs all the same', async () => {
    const queue = new KeyedQueue();
    const failing = queue.run('a', () => Promise.reject(new Error('mine')));
    const next = queue.run('a', async () => 'fine');
    expect(await failing.catch((error: Error) => error.message)).to.equal('mine');
    expect(await next).to.equal('fine');
  });

  it('work handed in while the last one ends comes after it', async () => {
    const queue = new KeyedQueue();
    const log: number[] = [];
    await queue.run('a', async () => {
      log.push(1);
    });
    const second = queue.run('a', async () => {
      await turns();
      log.push(2);
    });
    const third = queue.run('a', async () => {
      log.push(3);
    });
    await Promise.all([second, third]);
    expect(log).to.deep.equal([1, 2, 3]);
  });
});
