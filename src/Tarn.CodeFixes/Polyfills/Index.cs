namespace System;

/// <summary>The compiler requires this type for list patterns. The target framework lacks it.</summary>
internal readonly struct Index(int value, bool fromEnd = false)
{
    public int GetOffset(int length) => fromEnd ? length - value : value;
}
