/** Settings screen: display, confirmations, outgoing notifications, and the signed-in user. */
import { lazy, Suspense } from 'react';
import { PLACES } from '../../app/places.ts';
import { Page, Panel } from '../../components/page.tsx';
import { KeyList } from '../../features/key-list/key-list.tsx';
import { About } from './about.tsx';
import { Appearance } from './appearance.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import css from './settings.module.css';
import { ThisComputer } from './this-computer.tsx';
import { Trading } from './trading.tsx';

const Outgoing = lazy(() => import('./outgoing.tsx'));

export default function Settings() {
  return (
    <Page title="Settings">
      <div className={css['columns']}>
        <div className={css['column']}>
          <Appearance />
          <Trading />
          <ThisComputer />
          <About />
        </div>
        <div className={css['column']}>
          <Sessions />
          <Password />
          <Suspense>
            <Outgoing />
          </Suspense>
          <Panel title="Keyboard">
            <KeyList screens={Object.values(PLACES)} />
          </Panel>
        </div>
      </div>
    </Page>
  );
}
