using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>
/// Adds the parts of an interpolated string to a <see cref="ScratchWriter{T}"/>. Only code that the compiler makes uses it.
/// </summary>
/// <remarks>
/// It adds to the writer itself and owns nothing, so that an exception from one of the string's values leaves the memory with the writer. A
/// writer is on the stack, below the code that makes this one, so its address stays valid for as long as that code runs.
/// </remarks>
/// <typeparam name="T">The type of the writer's elements.</typeparam>
[InterpolatedStringHandler]
#pragma warning disable CA1815 // the compiler does not compare them
public unsafe struct ScratchInterpolatedString<T>
#pragma warning restore CA1815
{
    private readonly IFormatProvider? _provider;

    /// <summary>The address of the writer; null once the string has ended.</summary>
    private void* _writer;

    /// <param name="literalLength">The length of the constant parts.</param>
    /// <param name="formattedCount">The number of values.</param>
    /// <param name="writer">The writer to add to.</param>
    public ScratchInterpolatedString(int literalLength, int formattedCount, scoped in ScratchWriter<T> writer)
        : this(literalLength, formattedCount, in writer, provider: null)
    {
    }

    /// <param name="literalLength">The length of the constant parts.</param>
    /// <param name="formattedCount">The number of values.</param>
    /// <param name="writer">The writer to add to.</param>
    /// <param name="provider">The source of formats.</param>
    public ScratchInterpolatedString(int literalLength, int formattedCount, scoped in ScratchWriter<T> writer, IFormatProvider? provider)
    {
        // Neither number is worth growing for at once: the writer doubles.
        _ = literalLength;
        _ = formattedCount;
        _writer = Unsafe.AsPointer(ref Unsafe.AsRef(in writer));
        _provider = provider;
    }

    /// <summary>Adds a constant part.</summary>
    /// <param name="value">The part.</param>
    public readonly void AppendLiteral(string value) => Writer.AppendText(value);

    /// <summary>Adds text, and spaces up to a least length.</summary>
    /// <param name="value">The text.</param>
    /// <param name="alignment">The least number of elements to add; negative aligns to the left.</param>
    /// <param name="format">No effect: text has no formats.</param>
    public readonly void AppendFormatted(scoped ReadOnlySpan<char> value, int alignment = 0, string? format = null)
    {
        ref ScratchWriter<T> writer = ref Writer;
        int start = writer.WrittenCount;
        writer.AppendText(value);
        writer.Align(start, alignment);
    }

    /// <summary>Adds text in UTF-8, such as <c>"…"u8</c>, and spaces up to a least length.</summary>
    /// <param name="value">The text. For characters, what is no UTF-8 becomes U+FFFD.</param>
    /// <param name="alignment">The least number of elements to add; negative aligns to the left.</param>
    /// <param name="format">No effect: text has no formats.</param>
    public readonly void AppendFormatted(scoped ReadOnlySpan<byte> value, int alignment = 0, string? format = null)
    {
        ref ScratchWriter<T> writer = ref Writer;
        int start = writer.WrittenCount;
        writer.AppendUtf8(value);
        writer.Align(start, alignment);
    }

    /// <summary>Adds text.</summary>
    /// <param name="value">The text; null adds nothing.</param>
    public readonly void AppendFormatted(string? value) => AppendFormatted<string?>(value);

    /// <summary>Adds a value.</summary>
    /// <typeparam name="TValue">The type of the value.</typeparam>
    /// <param name="value">The value; null adds nothing.</param>
    /// <param name="format">The format.</param>
    public readonly void AppendFormatted<TValue>(TValue value, string? format = null) =>
        Writer.AppendFormatted(value, format, _provider);

    /// <summary>Adds a value, and spaces up to a least length.</summary>
    /// <typeparam name="TValue">The type of the value.</typeparam>
    /// <param name="value">The value; null adds only spaces.</param>
    /// <param name="alignment">The least number of elements to add; negative aligns to the left.</param>
    /// <param name="format">The format.</param>
    public readonly void AppendFormatted<TValue>(TValue value, int alignment, string? format = null)
    {
        ref ScratchWriter<T> writer = ref Writer;
        int start = writer.WrittenCount;
        writer.AppendFormatted(value, format, _provider);
        writer.Align(start, alignment);
    }

    /// <summary>Ends the string: the address is no longer needed.</summary>
    internal void End() => _writer = null;

    private readonly ref ScratchWriter<T> Writer
    {
        get
        {
            if (_writer == null)
            {
                WriterThrow.ScratchDisposed();
            }

            return ref Unsafe.AsRef<ScratchWriter<T>>(_writer);
        }
    }
}
