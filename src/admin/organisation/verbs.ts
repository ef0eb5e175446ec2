// Organisations: each call with its function.
import { bind } from "../bind.ts";
import { organisationCalls } from "./contract.ts";
import { joinOrganisation, readOffer } from "./join.ts";
import { listMembersOfAccount, listProjectsOfAccount } from "./account-parts.ts";
import { changeMember, leaveOrganisation, listMembers, removeMember } from "./members.ts";
import { createOrganisation, listOwnSeats } from "./own.ts";
import { changeProject, createProject, listProjects, removeProject } from "./projects.ts";
import { changeOrganisation, readOrganisation } from "./read.ts";

export const organisationVerbs = bind(organisationCalls, {
  listOwn: listOwnSeats,
  create: createOrganisation,
  join: joinOrganisation,
  readOffer,
  read: readOrganisation,
  change: changeOrganisation,
  leave: leaveOrganisation,
  listMembers,
  changeMember,
  removeMember,
  listMembersOfAccount,
  listProjectsOfAccount,
  listProjects,
  createProject,
  changeProject,
  removeProject,
});
