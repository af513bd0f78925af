namespace Tarn.SharedMemory;

/// <summary>The exceptions that tell a side of a ring about the other one, or about its role's holder, and the way out.</summary>
internal static class RoleRefusals
{
    private const string WayOutOfUnknown =
        $"If it does not, remove the name with {nameof(SharedRegion)}.{nameof(SharedRegion.Delete)} and create it again.";

    /// <summary>The process in the other role is gone.</summary>
    internal static SharedPeerLostException Loss(string ring, string role, RoleHolder peer) => Lost(
        ring, role, peer,
        "Call again to wait for its successor, or set SharedRing.AwaitSuccessor.");

    /// <summary>The process in the other role is gone, and so is the name by which a successor would open the ring.</summary>
    internal static SharedPeerLostException LossWithoutSuccessor(string ring, string role, RoleHolder peer) =>
        Lost(ring, role, peer, "The ring's name leads here no more, so no successor can open it: dispose this ring and open it again.");

    /// <summary>The process in the other role is gone before the end of the bytes that the messages carry.</summary>
    internal static SharedPeerLostException LossOfBytes(string ring, string role, SharedPeerLostException loss) => new(
        $"The {role} of the ring \"{ring}\", process {loss.ProcessId}, {(loss.HasLeft ? "closed it" : "exited")} before the end of its "
            + "bytes, which no other process can continue. Begin again with another connection.",
        loss.ProcessId, loss.HasLeft);

    /// <summary>A call waited for long for a process that may run or not.</summary>
    internal static TimeoutException Silence(string ring, string role, RoleHolder peer, long milliseconds) => new(
        $"The ring \"{ring}\" has waited {milliseconds} ms for its {role}, process {peer.Process.Id} of another container or virtual "
            + $"machine. This process cannot see whether that still runs. If it does, call again to wait longer. {WayOutOfUnknown}");

    /// <summary>Another process, or another ring of this process, has the role, or may have it.</summary>
    internal static InvalidOperationException Taken(string noun, string name, string role, RoleHolder holder, HolderState state)
    {
        string process = holder == RoleHolder.Mine ? "this process" : $"process {holder.Process.Id}";
        return new InvalidOperationException(
            state == HolderState.Running
                ? $"The {noun} \"{name}\" has a {role} already, which must dispose its {noun} first: {process}."
                : $"The {noun} \"{name}\" has a {role}, {process} of another container or virtual machine. This process cannot see whether "
                    + $"that still runs. {WayOutOfUnknown}");
    }

    private static SharedPeerLostException Lost(string ring, string role, RoleHolder peer, string wayOut)
    {
        string what = peer.HasLeft ? "disposed its ring" : "exited";
        return new SharedPeerLostException(
            $"The {role} of the ring \"{ring}\", process {peer.Process.Id}, {what}. {wayOut}", peer.Process.Id, peer.HasLeft);
    }
}
