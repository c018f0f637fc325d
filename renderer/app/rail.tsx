/** Navigation at the left edge: links to the screens. */
import { Link, useLocation } from 'wouter';
import { Mark } from '../components/card-page.tsx';
import { classNames } from '../components/class-names.ts';
import css from './frame.module.css';
import { isAt, SCREENS } from './screens.tsx';

export function Rail() {
  const [location] = useLocation();
  return (
    <nav className={css['rail']} aria-label="Screens">
      <span className={css['brand']} title="Tandem">
        <Mark />
      </span>
      <ul>
        {SCREENS.map(({ path, name, icon: Icon }) => {
          const here = isAt(location, path);
          return (
            <li key={path}>
              <Link
                href={path}
                className={classNames(css['railLink'], here && css['here'])}
                {...(here ? { 'aria-current': 'page' as const } : {})}
              >
                <Icon aria-hidden="true" />
                <span>{name}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
