using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Tarn;

/// <content>Text: characters, or UTF-8 in bytes.</content>
public ref partial struct ScratchWriter<T>
{
    /// <summary>Adds an interpolated string. Its values format themselves in the writer's memory.</summary>
    /// <param name="text">The string, which the compiler takes apart. What precedes an exception in it stays added.</param>
    /// <exception cref="NotSupportedException"><typeparamref name="T"/> is neither <see cref="char"/> nor <see cref="byte"/>.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed, or is a default instance.</exception>
    [System.Diagnostics.CodeAnalysis.SuppressMessage(
        "Performance", "CA1822", Justification = "the compiler hands this writer to the string, which adds to it")]
    public void Append([InterpolatedStringHandlerArgument("")] ref ScratchInterpolatedString<T> text) => text.End();

    /// <summary>Adds an interpolated string in the format of a culture.</summary>
    /// <param name="provider">The culture, or another source of formats; null is the current culture.</param>
    /// <param name="text">The string, which the compiler takes apart. What precedes an exception in it stays added.</param>
    /// <inheritdoc cref="Append(ref ScratchInterpolatedString{T})" path="/exception"/>
    [System.Diagnostics.CodeAnalysis.SuppressMessage(
        "Performance", "CA1822", Justification = "the compiler hands this writer to the string, which adds to it")]
    public void Append(
        IFormatProvider? provider, [InterpolatedStringHandlerArgument("", nameof(provider))] ref ScratchInterpolatedString<T> text) =>
        text.End();

    /// <summary>Adds characters, in UTF-8 if the elements are bytes.</summary>
    /// <param name="text">
    /// The characters. UTF-8 replaces half of a surrogate pair, also where the other half begins the next text.
    /// </param>
    /// <inheritdoc cref="Append(ref ScratchInterpolatedString{T})" path="/exception"/>
    public void AppendText(scoped ReadOnlySpan<char> text)
    {
        if (typeof(T) == typeof(char))
        {
            Append(MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<char, T>(ref MemoryMarshal.GetReference(text)), text.Length));
        }
        else
        {
            ThrowUnlessText();
            Encoding.UTF8.GetBytes(text, As<byte>(AppendSpan(Encoding.UTF8.GetByteCount(text))));
        }
    }

    /// <summary>
    /// Adds a value as text. An <see cref="ISpanFormattable"/> or, for bytes, an <see cref="IUtf8SpanFormattable"/> formats itself in the
    /// writer's memory; any other value makes a string.
    /// </summary>
    /// <typeparam name="TValue">The type of the value.</typeparam>
    /// <param name="value">The value; null adds nothing.</param>
    /// <param name="format">The format, as in an interpolated string; null is the default format.</param>
    /// <param name="provider">The culture, or another source of formats; null is the current culture.</param>
    /// <exception cref="FormatException">The value does not know the format.</exception>
    /// <inheritdoc cref="Append(ref ScratchInterpolatedString{T})" path="/exception"/>
    public void AppendFormatted<TValue>(TValue value, string? format = null, IFormatProvider? provider = null)
    {
        ThrowUnlessText();
        if (provider?.GetFormat(typeof(ICustomFormatter)) is ICustomFormatter custom)
        {
            AppendText(custom.Format(format, value, provider));
        }
        else if (typeof(T) == typeof(char) && value is ISpanFormattable)
        {
            int written;
            while (!((ISpanFormattable)value).TryFormat(As<char>(_memory[_count..]), out written, format, provider))
            {
                GiveBack(Grow(_memory.Length - _count + 1));
            }

            AddFormatted(written, typeof(TValue));
        }
        else if (typeof(T) == typeof(byte) && value is IUtf8SpanFormattable)
        {
            int written;
            while (!((IUtf8SpanFormattable)value).TryFormat(As<byte>(_memory[_count..]), out written, format, provider))
            {
                GiveBack(Grow(_memory.Length - _count + 1));
            }

            AddFormatted(written, typeof(TValue));
        }
        else
        {
            AppendText(value is IFormattable ? ((IFormattable)value).ToString(format, provider) : value?.ToString());
        }
    }

    /// <summary>Returns the text; of other elements than characters and UTF-8, the number.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed, or is a default instance.</exception>
    public override readonly string ToString()
    {
        Span<T> written = WrittenSpan;
        return typeof(T) == typeof(char) ? new string(As<char>(written))
            : typeof(T) == typeof(byte) ? Encoding.UTF8.GetString(As<byte>(written))
            : $"ScratchWriter<{typeof(T).Name}>[{written.Length}]";
    }

    /// <summary>Adds text in UTF-8.</summary>
    internal void AppendUtf8(scoped ReadOnlySpan<byte> text)
    {
        if (typeof(T) == typeof(byte))
        {
            Append(MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<byte, T>(ref MemoryMarshal.GetReference(text)), text.Length));
        }
        else
        {
            ThrowUnlessText();
            Encoding.UTF8.GetChars(text, As<char>(AppendSpan(Encoding.UTF8.GetCharCount(text))));
        }
    }

    /// <summary>Adds spaces before or after what was added since the writer had <paramref name="start"/> elements.</summary>
    /// <param name="start">The number of elements before.</param>
    /// <param name="alignment">The least elements to have added; negative aligns to the left.</param>
    internal void Align(int start, int alignment)
    {
        int length = _count - start;
        int missing = (int)Math.Min(Math.Abs((long)alignment), int.MaxValue) - length;
        if (missing <= 0)
        {
            return;
        }

        Span<T> added = AppendSpan(missing);
        if (alignment > 0)
        {
            Span<T> whole = _memory.Slice(start, length + missing);
            whole[..length].CopyTo(whole[missing..]);
            added = whole[..missing];
        }

        added.Fill(typeof(T) == typeof(char) ? (T)(object)' ' : (T)(object)(byte)' ');
    }

    private static Span<TOther> As<TOther>(Span<T> elements) =>
        MemoryMarshal.CreateSpan(ref Unsafe.As<T, TOther>(ref MemoryMarshal.GetReference(elements)), elements.Length);

    private static void ThrowUnlessText()
    {
        if (typeof(T) != typeof(char) && typeof(T) != typeof(byte))
        {
            WriterThrow.NoText(typeof(T));
        }
    }

    private void AddFormatted(int written, Type type)
    {
        if ((uint)written > (uint)(_memory.Length - _count))
        {
            WriterThrow.FormattedPastRoom(type, written, _memory.Length - _count);
        }

        _count += written;
    }
}
