using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Sanitizing.Checking;

/// <summary>
/// What returned buffers are filled with, so that a late read sees nonsense and a late write shows: the byte 0xDB; a text that says so in
/// arrays of strings and objects; nothing (null, zero) in arrays of other elements that hold references, as no pattern is a valid one.
/// </summary>
internal static class Poison
{
    /// <summary>The byte that Tarn's checked pools use too: it is no ASCII character, and eight of them are no address.</summary>
    internal const byte Byte = 0xDB;

    /// <summary>What a late read of a string or an object finds.</summary>
    internal static readonly string Text = new("tarn: this buffer was returned to its pool");

    internal static void Fill<T>(T[] array)
    {
        if (!RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            MemoryMarshal.CreateSpan(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetArrayDataReference(array)), SizeOf(array)).Fill(Byte);
        }
        else if (typeof(T) == typeof(string) || typeof(T) == typeof(object))
        {
            Array.Fill((object?[])(object)array, Text);
        }
        else
        {
            Array.Clear(array);
        }
    }

    /// <summary>Returns the first element that was written since, or -1.</summary>
    internal static int FindDisturbed<T>(T[] array)
    {
        if (typeof(T) == typeof(string) || typeof(T) == typeof(object))
        {
            return Array.FindIndex((object?[])(object)array, static element => !ReferenceEquals(element, Text));
        }

        byte pattern = RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? (byte)0 : Byte;
        int offset = Bytes(array).IndexOfAnyExcept(pattern);
        return offset < 0 ? -1 : offset / Unsafe.SizeOf<T>();
    }

    /// <summary>The bytes of an element as text; empty for references, whose bytes say nothing.</summary>
    internal static string Show<T>(T[] array, int element)
    {
        const int Most = 16;
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            return "";
        }

        int first = element * Unsafe.SizeOf<T>();
        ReadOnlySpan<byte> bytes = Bytes(array)[first..];
        return Convert.ToHexString(bytes[..Math.Min(Most, bytes.Length)]);
    }

    /// <summary>The size of the elements; up to 2 GiB of them are looked at.</summary>
    internal static int SizeOf<T>(T[] array) => (int)Math.Min((long)array.Length * Unsafe.SizeOf<T>(), int.MaxValue);

    private static ReadOnlySpan<byte> Bytes<T>(T[] array) =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetArrayDataReference(array)), SizeOf(array));
}
