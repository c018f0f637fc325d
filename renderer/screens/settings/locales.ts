/** Locales for figures and dates; the words of the dashboard are English in all of them. */
export const LOCALES: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'auto', label: 'As the browser' },
  { value: 'en-US', label: 'English (US)' },
  { value: 'en-GB', label: 'English (UK)' },
  { value: 'de-DE', label: 'German' },
  { value: 'de-CH', label: 'German (Switzerland)' },
  { value: 'es-ES', label: 'Spanish' },
  { value: 'fr-FR', label: 'French' },
  { value: 'it-IT', label: 'Italian' },
  { value: 'ja-JP', label: 'Japanese' },
  { value: 'ko-KR', label: 'Korean' },
  { value: 'nl-NL', label: 'Dutch' },
  { value: 'pl-PL', label: 'Polish' },
  { value: 'pt-BR', label: 'Portuguese (Brazil)' },
  { value: 'sv-SE', label: 'Swedish' },
  { value: 'zh-CN', label: 'Chinese' },
];
