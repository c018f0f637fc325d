/** Settings of the browser as they are read back: whatever another page, or nobody, wrote. */
import { expect } from 'chai';
import { localeOf, parseSettings } from '../../../renderer/api/settings-values.ts';

const DEFAULT_SETTINGS = {
  theme: 'dark',
  density: 'compact',
  zone: 'local',
  locale: 'auto',
  confirm: { orders: true, closing: true, cancelling: false },
  limits: { largestOrderUsd: null, highestLeverage: null },
} as const;

describe('settings of the dashboard', () => {
  it('are the usual ones where nothing, or nothing of ours, is kept', () => {
    for (const text of [null, '', '{', '[]', '7', '{"theme":"pink","confirm":7,"locale":"not a locale"}'])
      expect(parseSettings(text)).to.deep.equal(DEFAULT_SETTINGS);
  });

  it('come back as they were', () => {
    const changed = {
      ...DEFAULT_SETTINGS,
      theme: 'light',
      zone: 'utc',
      locale: 'de-DE',
    } as const;
    expect(parseSettings(JSON.stringify(changed))).to.deep.equal(changed);
  });

  it('keep what is understood of a page of another version', () => {
    expect(parseSettings('{"density":"comfortable","future":{"deep":1}}')).to.deep.equal({
      ...DEFAULT_SETTINGS,
      density: 'comfortable',
    });
  });

  it('leave the locale to the browser unless one is chosen', () => {
    expect(localeOf({ locale: 'auto' })).to.equal(undefined);
    expect(localeOf({ locale: 'fr' })).to.equal('fr');
  });
});
