using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Tarn;

/// <summary>A misuse of a buffer that was found after the fact, so that nobody's call can throw.</summary>
/// <remarks>
/// Stacks begin with the method that called the pool or heap. Frames of the runtime and of test runners are counted in a line, and no more
/// than 32 frames are shown.
/// </remarks>
/// <param name="Kind">What was found.</param>
/// <param name="SourceName">The pool or heap the buffer came from.</param>
/// <param name="SizeInBytes">The buffer's size.</param>
/// <param name="RentedAt">The stack that rented it, where it was captured.</param>
/// <param name="ReturnedAt">The stack that returned it first, where there is one.</param>
public sealed record BufferIncident(
    BufferIncidentKind Kind, string SourceName, long SizeInBytes, string? RentedAt, string? ReturnedAt)
{
    /// <summary>What exactly was found, for people to read: addresses, offsets, sizes, bytes. Null where the kind says it all.</summary>
    public string? Detail { get; init; }

    /// <summary>
    /// Where it happened, in a line or two: of each stack the first three frames that are neither this library's nor the runtime's nor a
    /// test runner's. Incidents of one kind, source and place are one group (<see cref="BufferDiagnostics.GetIncidents"/>). Null where no
    /// stack was captured.
    /// </summary>
    public string? Place { get; init; }

    /// <summary>What its text says of checks in general; only with the first incident of a process.</summary>
    internal string? Explanation { get; init; }

    /// <summary>The incident in words, a line for each frame. That of a process's first one says what checks fill buffers with.</summary>
    /// <returns>The text; it ends without a line break.</returns>
    public override string ToString()
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"{Kind} of a buffer of {SourceName}, {SizeInBytes} bytes");
        text.Append(Detail is null ? "" : $": {Detail}");
        Append(text, "rented", RentedAt);
        Append(text, "returned", ReturnedAt);
        if (Explanation is not null)
        {
            text.AppendLine().Append(Explanation);
        }

        return text.ToString();
    }

    /// <summary>The incident with its stacks put into words.</summary>
    internal static BufferIncident Of(
        BufferIncidentKind kind, string source, long bytes, StackTrace? rentedAt, StackTrace? returnedAt, string? detail = null) =>
        new(kind, source, bytes, Describe(rentedAt), Describe(returnedAt))
        {
            Detail = detail,
            Place = JoinPlaces(rentedAt, returnedAt),
        };

    private static string? Describe(StackTrace? stack) => stack is null ? null : CallStack.Describe(stack);

    private static string? JoinPlaces(StackTrace? rentedAt, StackTrace? returnedAt)
    {
        string? rented = rentedAt is null ? null : $"rented by {CallStack.DescribePlace(rentedAt)}";
        string? returned = returnedAt is null ? null : $"returned by {CallStack.DescribePlace(returnedAt)}";
        return rented is null || returned is null ? rented ?? returned : rented + Environment.NewLine + returned;
    }

    private static void Append(StringBuilder text, string headline, string? stack)
    {
        if (stack is not null)
        {
            text.AppendLine().AppendLine(headline).Append(stack.TrimEnd());
        }
    }
}
