extern alias Other;

// Commits before the native types had a namespace of their own can be compared too.
#if AGAINST_ONE_NAMESPACE
global using OtherNativeHeap = Other::Tarn.NativeHeap;
#else
global using OtherNativeHeap = Other::Tarn.Native.NativeHeap;
#endif
