using System.Text;
using Tarn.Pages;
using Tarn.Tool.Platform;

namespace Tarn.Tool.Commands;

/// <summary>
/// The standard output or error, which may be closed, full or left by its reader: a command goes on and writes its files all the same.
/// </summary>
/// <param name="writer">The output.</param>
/// <param name="keeps">Whether what a full output does not take is kept.</param>
internal sealed class LastingWriter(TextWriter writer, bool keeps) : TextWriter
{
    private readonly StringBuilder _missed = new();
    private readonly CancellationTokenSource _ended = new();
    private string? _problem;

    public override Encoding Encoding => writer.Encoding;

    /// <summary>Cancelled when nobody receives the output any more.</summary>
    public CancellationToken Ended => _ended.Token;

    /// <summary>
    /// What became of what the output did not take, as a sentence; null if it took everything. A reader that left, such as head, has had
    /// what it wanted.
    /// </summary>
    public string? Tell()
    {
        if (_problem is null || _missed.Length == 0)
        {
            return null;
        }

        try
        {
            return $"{_problem} It is kept in {OutputFile.Keep(Encoding.UTF8.GetBytes(_missed.ToString()), "output.txt", _problem)}";
        }
        catch (IOException exception)
        {
            return exception.Message;
        }
    }

    public override void Write(char value) => Write(value.ToString());

    public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

    public override void Write(ReadOnlySpan<char> buffer) => Write(buffer.ToString());

    public override void Write(string? value)
    {
        if (_ended.IsCancellationRequested)
        {
            Miss(value);
            return;
        }

        try
        {
            writer.Write(value);
            writer.Flush();
        }
        catch (Exception exception) when (OutputFile.IsRefusal(exception) || exception is ObjectDisposedException)
        {
            _problem = $"The standard output cannot be written: {OutputFile.Sentence(exception)}";
            Miss(value);
            _ended.Cancel();
            return;
        }

        if (keeps && StandardPipe.IsBroken())
        {
            _ended.Cancel();
        }
    }

    public override void Flush()
    {
        // Each text is passed on at once.
    }

    private void Miss(string? value)
    {
        if (keeps && _problem is not null)
        {
            _ = _missed.Append(value);
        }
    }
}
