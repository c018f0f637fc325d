/**
 * Counters of the process in the Prometheus text format (version 0.0.4). Series are made once, at start; counting is an
 * addition to a number, so nothing is allocated and no label is put together while requests run.
 */

interface Counter {
  inc(by?: number): void;
}

interface Histogram {
  observe(value: number): void;
}

type Labels = Readonly<Record<string, string>>;

export interface Metrics {
  /** Monotonic time in milliseconds, with decimals. */
  now(): number;
  counter(name: string, help: string, labels?: Labels): Counter;
  /** Adds a gauge whose value `read` gives when the text is made. */
  gauge(name: string, help: string, read: () => number, labels?: Labels): void;
  /** `bounds`: rising upper limits of the buckets; the bucket without a limit is added. */
  histogram(name: string, help: string, bounds: readonly number[], labels?: Labels): Histogram;
  /** Counts the requests of one HTTP route by status class. The durations of all routes go into one histogram. */
  route(label: string): { record(status: number, durationMs: number): void };
  /** The Prometheus text. */
  render(): string;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly lines: (() => string)[];
}

/** Duration buckets, seconds: a loopback answer takes well under a millisecond, an order to a venue up to seconds. */
const DURATION_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'];

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function createCounter(): Counter & { readonly value: () => number } {
  let count = 0;
  return {
    inc(by = 1) {
      count += by;
    },
    value: () => count,
  };
}

function createHistogram(bounds: readonly number[]) {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe(value: number) {
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sum += value;
    },
    render(name: string, labels: Labels): string {
      let total = 0;
      const lines = Array.from(counts, (count, index) => {
        total += count;
        const le = String(bounds[index] ?? '+Inf');
        return `${name}_bucket${labelText({ ...labels, le })} ${total}`;
      });
      return [
        ...lines,
        `${name}_sum${labelText(labels)} ${sum}`,
        `${name}_count${labelText(labels)} ${total}`,
      ].join('\n');
    },
  };
}

export function createMetrics(): Metrics {
  const families = new Map<string, Family>();

  function family(name: string, help: string, type: Family['type']): Family {
    const known = families.get(name);
    if (known !== undefined) {
      if (known.type !== type) throw new Error(`Metric ${name} is a ${known.type}, not a ${type}`);
      return known;
    }
    const made: Family = { name, help, type, lines: [] };
    families.set(name, made);
    return made;
  }

  function counter(name: string, help: string, labels: Labels = {}): Counter {
    const made = createCounter();
    const prefix = `${name}${labelText(labels)}`;
    family(name, help, 'counter').lines.push(() => `${prefix} ${made.value()}`);
    return made;
  }

  function gauge(name: string, help: string, read: () => number, labels: Labels = {}): void {
    const prefix = `${name}${labelText(labels)}`;
    family(name, help, 'gauge').lines.push(() => `${prefix} ${read()}`);
  }

  function histogram(name: string, help: string, bounds: readonly number[], labels: Labels = {}): Histogram {
    const made = createHistogram(bounds);
    family(name, help, 'histogram').lines.push(() => made.render(name, labels));
    return made;
  }

  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  gauge('process_uptime_seconds', 'Time since the process started', () => process.uptime());
  const durations = histogram(
    'tandem_http_request_duration_seconds',
    'From the complete head of a request to its answer',
    DURATION_BOUNDS,
  );

  return {
    now: () => performance.now(),
    counter,
    gauge,
    histogram,
    route(label) {
      const byClass = STATUS_CLASSES.map((status) =>
        counter('tandem_http_requests_total', 'HTTP requests answered', { route: label, status }),
      );
      return {
        record(status, durationMs) {
          byClass[Math.floor(status / 100) - 1]?.inc();
          durations.observe(durationMs / 1000);
        },
      };
    },
    render() {
      const blocks = Array.from(families.values(), ({ name, help, type, lines }) =>
        [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines.map((line) => line())].join('\n'),
      );
      return `${blocks.join('\n')}\n`;
    },
  };
}
