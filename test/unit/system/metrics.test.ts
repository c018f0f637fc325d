import { expect } from 'chai';
import { createMetrics } from '../../../gateway/system/metrics.ts';

function lines(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('Metrics', () => {
  it('renders counters of one family under one header', () => {
    const metrics = createMetrics();
    const ok = metrics.counter('tandem_commits_total', 'Units committed', { result: 'ok' });
    metrics.counter('tandem_commits_total', 'Units committed', { result: 'failed' }).inc(3);
    ok.inc();
    ok.inc();
    const text = metrics.render();
    expect(text.match(/# TYPE tandem_commits_total counter/g)).to.have.length(1);
    expect(lines(text, 'tandem_commits_total')).to.deep.equal([
      'tandem_commits_total{result="ok"} 2',
      'tandem_commits_total{result="failed"} 3',
    ]);
    expect(text.endsWith('\n')).to.equal(true);
  });

  it('asks gauges when it renders', () => {
    const metrics = createMetrics();
    let clients = 1;
    metrics.gauge('tandem_ws_clients', 'Connected clients', () => clients);
    clients = 5;
    expect(lines(metrics.render(), 'tandem_ws_clients')).to.deep.equal(['tandem_ws_clients 5']);
  });

  it('adds up histogram buckets, a value on a bound belonging below it', () => {
    const metrics = createMetrics();
    const sizes = metrics.histogram('tandem_batch_units', 'Units in a batch', [1, 4]);
    for (const size of [1, 2, 4, 9]) sizes.observe(size);
    expect(lines(metrics.render(), 'tandem_batch_units')).to.deep.equal([
      'tandem_batch_units_bucket{le="1"} 1',
      'tandem_batch_units_bucket{le="4"} 3',
      'tandem_batch_units_bucket{le="+Inf"} 4',
      'tandem_batch_units_sum 16',
      'tandem_batch_units_count 4',
    ]);
  });

  it('counts requests by status class and times them together', () => {
    const metrics = createMetrics();
    metrics.route('GET /a').record(200, 2);
    const other = metrics.route('POST /b');
    other.record(202, 2);
    other.record(404, 20_000);
    const text = metrics.render();
    expect(text).to.contain('tandem_http_requests_total{route="POST /b",status="2xx"} 1');
    expect(text).to.contain('tandem_http_requests_total{route="POST /b",status="4xx"} 1');
    expect(text).to.contain('tandem_http_requests_total{route="POST /b",status="5xx"} 0');
    expect(text).to.contain('tandem_http_request_duration_seconds_bucket{le="0.0025"} 2');
    expect(text).to.contain('tandem_http_request_duration_seconds_bucket{le="10"} 2');
    expect(text).to.contain('tandem_http_request_duration_seconds_count 3');
  });

  it('escapes label values', () => {
    const metrics = createMetrics();
    metrics.counter('x_total', 'x', { what: 'a"b\\c\nd' });
    expect(metrics.render()).to.contain('x_total{what="a\\"b\\\\c\\nd"} 0');
  });

  it('refuses one name for two types', () => {
    const metrics = createMetrics();
    metrics.counter('x_total', 'x');
    expect(() => metrics.gauge('x_total', 'x', () => 0)).to.throw('x_total is a counter');
  });
});
