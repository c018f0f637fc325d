/** Settings screen: display, confirmations, and the signed-in user. */
import { Page } from '../../components/page.tsx';
import { About } from './about.tsx';
import { Appearance } from './appearance.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import css from './settings.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { ThisComputer } from './this-computer.tsx';
import { Trading } from './trading.tsx';

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
          <Shortcuts />
        </div>
      </div>
    </Page>
  );
}
