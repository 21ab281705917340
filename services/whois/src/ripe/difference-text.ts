// The task of the thread that compares versions.
export { unifiedDifference as differenceText } from '@cadastre/rpsl';
