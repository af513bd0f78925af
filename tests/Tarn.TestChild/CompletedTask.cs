namespace Tarn.TestChild;

/// <summary>Takes the result of a task that has completed, with the exception that the task carries.</summary>
internal static class CompletedTask
{
    internal static int Result(this Task<int> task) => task.GetAwaiter().GetResult();

    internal static long Result(this Task<long> task) => task.GetAwaiter().GetResult();

    internal static void Get(this Task task) => task.GetAwaiter().GetResult();

    /// <summary>The same of a task with a result.</summary>
    internal static T Get<T>(this Task<T> task) => task.GetAwaiter().GetResult();
}
