/** Choice of the notifications shown outside the page, and the browser's permission. */

import { useState } from 'react';
import { NOTIFICATION_TITLES } from '../../../gateway/words/notifications.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, Switch } from '../../components/checkbox.tsx';
import { Drawer } from '../../components/dialog.tsx';
import layout from '../../components/layout.module.css';
import { CATEGORY_GROUPS } from '../../features/notification-text/notification-text.ts';
import { withCategory } from '../../features/os-notifications/os-preference.ts';
import {
  askPermission,
  type OsPermission,
  osPermission,
  tell,
} from '../../features/os-notifications/tell.ts';
import { setOsPreference, useOsPreference } from '../../features/os-notifications/use-os-preference.ts';
import css from './notifications.module.css';

const PERMISSION_WORDS: Readonly<Record<OsPermission, string>> = {
  granted: 'The system shows them, also while this page is in the background.',
  default: 'The browser will ask you once. Until then they appear inside this page.',
  denied:
    'The browser does not let this page notify you, so they appear inside it. The site settings of the browser change that.',
  unsupported: 'This browser has no system notifications, so they appear inside this page.',
};

export function OsPanel({ onClose }: { readonly onClose: () => void }) {
  const preference = useOsPreference();
  const [permission, setPermission] = useState(osPermission);
  const turn = async (isOn: boolean) => {
    setOsPreference({ isOn });
    if (isOn) setPermission(await askPermission());
  };
  return (
    <Drawer
      open
      onClose={onClose}
      title="Desktop notifications"
      description="Kept in this browser. The list has every notification either way."
    >
      <div className={css['permission']}>
        <Switch checked={preference.isOn} onChange={(isOn) => void turn(isOn)}>
          Tell me of new notifications
        </Switch>
        {preference.isOn && (
          <>
            <p className={layout['quiet']}>{PERMISSION_WORDS[permission]}</p>
            <Button onClick={tryOne}>Try one</Button>
          </>
        )}
      </div>
      <div className={layout['sections']}>
        {CATEGORY_GROUPS.map(({ title, categories }) => (
          <fieldset key={title} className={css['group']} disabled={!preference.isOn}>
            <legend>{title}</legend>
            {categories.map((category) => (
              <Checkbox
                key={category}
                disabled={!preference.isOn}
                checked={preference.categories.includes(category)}
                onChange={(isWanted) =>
                  setOsPreference({ categories: withCategory(preference, category, isWanted) })
                }
              >
                {NOTIFICATION_TITLES[category]}
              </Checkbox>
            ))}
          </fieldset>
        ))}
      </div>
    </Drawer>
  );
}

function tryOne(): void {
  const news = { id: `try-${Date.now()}`, title: 'Tandem', body: 'This is what a notification looks like.' };
  tell({ ...news, isAlarming: false, account: null }, () => undefined);
}
