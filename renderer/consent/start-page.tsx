/** Start of the consent page and of the waiting page: the theme of the system, then the page. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { CardPage } from '../components/card-page.tsx';
import './consent.module.css';

const darkWanted = matchMedia('(prefers-color-scheme: dark)');

function applyTheme(): void {
  document.documentElement.dataset['theme'] = darkWanted.matches ? 'dark' : 'light';
}

/** @param page content of the card */
export function startPage(page: ReactNode): void {
  const place = document.getElementById('root');
  if (place === null) throw new Error('The page has no #root');
  applyTheme();
  darkWanted.addEventListener('change', applyTheme);
  createRoot(place).render(
    <CSPProvider disableStyleElements>
      <CardPage>{page}</CardPage>
    </CSPProvider>,
  );
}

/** Id of the request, from the address of the page. */
export const uid = location.pathname.split('/')[2] ?? '';
