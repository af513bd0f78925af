namespace System;

/// <summary>The compiler wants it for list patterns; this target framework is older than it.</summary>
internal readonly struct Index(int value, bool fromEnd = false)
{
    public int GetOffset(int length) => fromEnd ? length - value : value;
}
