using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Tarn.Diagnostics;

/// <summary>A misuse of a buffer that was found after the fact, when no call is left to throw.</summary>
/// <remarks>
/// Stacks begin with the method that called the pool or heap. One line replaces the frames of the runtime and of test runners with their
/// count, and at most 32 frames are shown.
/// </remarks>
public sealed class BufferIncident
{
    internal BufferIncident(BufferIncidentKind kind, string sourceName, long sizeInBytes)
    {
        (Kind, SourceName, SizeInBytes) = (kind, sourceName, sizeInBytes);
    }

    /// <summary>Gets the kind of misuse.</summary>
    public BufferIncidentKind Kind { get; }

    /// <summary>Gets the name of the pool or heap that the buffer came from.</summary>
    public string SourceName { get; }

    /// <summary>Gets the buffer's size.</summary>
    public long SizeInBytes { get; }

    /// <summary>
    /// Gets how many incidents of this kind, source and place there were: 1 where the incident is handed to a handler; in the list of
    /// <see cref="BufferDiagnostics.GetIncidents"/>, all so far.
    /// </summary>
    public long Count { get; private init; } = 1;

    /// <summary>Gets the stack that rented the buffer; null if it was not captured.</summary>
    public string? RentedAt { get; internal init; }

    /// <summary>Gets the stack that first returned the buffer; null if there is none.</summary>
    public string? ReturnedAt { get; internal init; }

    /// <summary>
    /// Gets the stacks at which those who still held a leaked <see cref="CountedBuffer{T}"/> took it, each below a line with their number,
    /// the most from one place first. Null for other buffers.
    /// </summary>
    public string? HeldAt { get; internal init; }

    /// <summary>Gets details for people to read: addresses, offsets, sizes, bytes. Null if there is nothing to add to the kind.</summary>
    public string? Detail { get; internal init; }

    /// <summary>
    /// Gets the place, in a line or two: for each stack, the first three frames that do not belong to this library, the runtime or a test
    /// runner. Null if no stack was captured.
    /// </summary>
    public string? Place { get; internal init; }

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
        Append(text, null, HeldAt);
        Append(text, null, Explanation);
        return text.ToString();
    }

    /// <summary>Creates an incident with its stacks formatted as text.</summary>
    internal static BufferIncident Of(
        BufferIncidentKind kind, string source, long bytes, StackTrace? rentedAt, StackTrace? returnedAt, string? detail = null,
        string? heldAt = null) =>
        new(kind, source, bytes)
        {
            RentedAt = Describe(rentedAt),
            ReturnedAt = Describe(returnedAt),
            HeldAt = heldAt,
            Detail = detail,
            Place = JoinPlaces(rentedAt, returnedAt),
        };

    /// <summary>The same incident as one of several, or with an explanation.</summary>
    internal BufferIncident With(long? count = null, string? explanation = null) =>
        new(Kind, SourceName, SizeInBytes)
        {
            Count = count ?? Count,
            RentedAt = RentedAt,
            ReturnedAt = ReturnedAt,
            HeldAt = HeldAt,
            Detail = Detail,
            Place = Place,
            Explanation = explanation ?? Explanation,
        };

    private static string? Describe(StackTrace? stack) => stack is null ? null : CallStack.Describe(stack);

    private static string? JoinPlaces(StackTrace? rentedAt, StackTrace? returnedAt)
    {
        string? rented = rentedAt is null ? null : $"rented by {CallStack.DescribePlace(rentedAt)}";
        string? returned = returnedAt is null ? null : $"returned by {CallStack.DescribePlace(returnedAt)}";
        return rented is null || returned is null ? rented ?? returned : rented + Environment.NewLine + returned;
    }

    private static void Append(StringBuilder text, string? headline, string? stack)
    {
        if (stack is null)
        {
            return;
        }

        if (headline is not null)
        {
            text.AppendLine().Append(headline);
        }

        text.AppendLine().Append(stack.TrimEnd());
    }
}
