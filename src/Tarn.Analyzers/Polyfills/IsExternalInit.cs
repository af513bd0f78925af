namespace System.Runtime.CompilerServices;

/// <summary>The compiler wants it for init accessors and records; this target framework is older than it.</summary>
internal static class IsExternalInit;
