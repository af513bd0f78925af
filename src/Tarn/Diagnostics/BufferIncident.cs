using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Tarn;

/// <summary>A misuse of a buffer that was found after the fact, when no call is left to throw.</summary>
/// <remarks>
/// Stacks begin with the method that called the pool or heap. One line replaces the frames of the runtime and of test runners with their
/// count, and at most 32 frames are shown.
/// </remarks>
/// <param name="Kind">The kind of misuse.</param>
/// <param name="SourceName">The pool or heap the buffer came from.</param>
/// <param name="SizeInBytes">The buffer's size.</param>
/// <param name="RentedAt">The stack that rented it, if it was captured.</param>
/// <param name="ReturnedAt">The stack that first returned it, if there is one.</param>
public sealed record BufferIncident(
    BufferIncidentKind Kind, string SourceName, long SizeInBytes, string? RentedAt, string? ReturnedAt)
{
    /// <summary>Details for people to read: addresses, offsets, sizes, bytes. Null if there is nothing to add to the kind.</summary>
    public string? Detail { get; init; }

    /// <summary>
    /// The place, in a line or two: for each stack, the first three frames that do not belong to this library, the runtime or a test
    /// runner. Incidents of the same kind, source and place form a group (<see cref="BufferDiagnostics.GetIncidents"/>). Null if no stack
    /// was captured.
    /// </summary>
    public string? Place { get; init; }

    /// <summary>
    /// The holders that a leaked <see cref="SharedBuffer{T}"/> still had, the most from one place first. Empty for other buffers.
    /// </summary>
    public IReadOnlyList<BufferHolder> Holders { get; init; } = [];

    /// <summary>The part of its text that explains checks in general; set only for the first incident of a process.</summary>
    internal string? Explanation { get; init; }

    /// <summary>
    /// Returns a description of the incident, with a line for each frame. The first incident of a process also explains the byte with which
    /// checks fill buffers.
    /// </summary>
    /// <returns>The text, without a line break at the end.</returns>
    public override string ToString()
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"{Kind} of a buffer of {SourceName}, {SizeInBytes} bytes");
        text.Append(Detail is null ? "" : $": {Detail}");
        Append(text, "rented", RentedAt);
        Append(text, "returned", ReturnedAt);
        foreach (BufferHolder holder in Holders)
        {
            Append(text, string.Create(CultureInfo.InvariantCulture, $"held by {holder.Count}, taken"), holder.TakenAt);
        }

        if (Explanation is not null)
        {
            text.AppendLine().Append(Explanation);
        }

        return text.ToString();
    }

    /// <summary>Creates an incident with its stacks formatted as text.</summary>
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
