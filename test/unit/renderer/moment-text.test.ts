/** Moments that are typed: in UTC, or in the zone of the browser. */
import { expect } from 'chai';
import { momentOf, momentText } from '../../../renderer/components/moment-text.ts';

const zoneNow = process.env['TZ'];

describe('moment text', () => {
  afterEach(() => {
    if (zoneNow === undefined) Reflect.deleteProperty(process.env, 'TZ');
    else process.env['TZ'] = zoneNow;
  });

  it('writes and reads UTC whatever the zone of the browser', () => {
    process.env['TZ'] = 'America/New_York';
    expect(momentText('2026-01-31T12:00:00.000Z', 'utc')).to.equal('2026-01-31T12:00');
    expect(momentOf('2026-01-31T12:00', 'utc')).to.equal('2026-01-31T12:00:00.000Z');
  });

  it('writes and reads local time, summer time included', () => {
    process.env['TZ'] = 'America/New_York';
    expect(momentText('2026-01-31T12:00:00.000Z', 'local')).to.equal('2026-01-31T07:00');
    expect(momentOf('2026-01-31T07:00', 'local')).to.equal('2026-01-31T12:00:00.000Z');
    expect(momentText('2026-07-31T12:00:00Z', 'local')).to.equal('2026-07-31T08:00');
    expect(momentOf('2026-07-31T08:00', 'local')).to.equal('2026-07-31T12:00:00.000Z');
  });

  it('takes what is empty or no time as no moment', () => {
    for (const text of ['', 'soon', '2026-13-01T00:00']) {
      expect(momentText(text, 'utc')).to.equal('');
      expect(momentOf(text, 'utc')).to.equal('');
      expect(momentOf(text, 'local')).to.equal('');
    }
  });
});
