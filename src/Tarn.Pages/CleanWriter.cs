using System.Text;

namespace Tarn.Pages;

/// <summary>Passes text on without what a terminal would obey. Lines and tabs stay.</summary>
/// <param name="writer">Where it goes.</param>
internal sealed class CleanWriter(TextWriter writer) : TextWriter
{
    public override Encoding Encoding => writer.Encoding;

    public override void Write(char value) => writer.Write(ForeignText.Lines(value.ToString()));

    public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));

    public override void Write(ReadOnlySpan<char> buffer) => writer.Write(ForeignText.Lines(buffer.ToString()));

    public override void Write(string? value)
    {
        if (value is not null)
        {
            writer.Write(ForeignText.Lines(value));
        }
    }

    public override void Flush() => writer.Flush();
}
