namespace System.Runtime.CompilerServices;

/// <summary>The compiler requires this type for init accessors and records. The target framework lacks it.</summary>
internal static class IsExternalInit;
