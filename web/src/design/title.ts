import { useEffect } from 'preact/hooks';

/** Names the page in the tab of the browser. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Cadastre' : `${title} · Cadastre`;
  }, [title]);
}
