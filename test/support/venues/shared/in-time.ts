import type { FakeClock } from '../../fake-clock.ts';
import { whileTimePasses } from '../../until.ts';

/** The same object, but time passes until what it promises is there: an adapter that waits is not waited for in vain. */
export function inTime<T extends object>(clock: FakeClock, target: T): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const answer: unknown = value.apply(target, given);
        return answer instanceof Promise ? whileTimePasses(clock, answer) : answer;
      };
    },
  });
}
